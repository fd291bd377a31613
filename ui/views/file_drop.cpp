#include "ui/views/file_drop.h"

#include <QDropEvent>
#include <QMimeData>
#include <QUrl>

namespace lapbench {

namespace {

QStringList filesIn(const QMimeData* content)
{
    QStringList files;
    const QList<QUrl> addresses = content ? content->urls() : QList<QUrl>();
    for (const QUrl& address : addresses) {
        if (address.isLocalFile())
            files << address.toLocalFile();
    }
    return files;
}

} // namespace

FileDrop::FileDrop(QWidget* window) : QObject(window)
{
    const QList<QWidget*> parts = window->findChildren<QWidget*>();
    for (QWidget* part : parts) {
        if (part->acceptDrops())
            part->installEventFilter(this);
    }
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event);
    const QStringList files = filesIn(drop->mimeData());
    if (files.isEmpty())
        return QObject::eventFilter(watched, event);
    if (!m_open) {
        drop->ignore();
        return true;
    }
    // Whatever was asked for, the file stays where it is.
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (event->type() == QEvent::Drop)
        emit dropped(files.first(), static_cast<int>(files.size()) - 1);
    return true;
}

} // namespace lapbench
