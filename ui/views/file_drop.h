#pragma once

#include <QObject>
#include <QString>
#include <QWidget>

class QMimeData;

namespace lapbench {

/// Takes files that are dropped on a window, wherever on it: also where a field would take their names as text. Made
/// when the window's fields are there; owned by the window. GUI thread.
class FileDrop : public QObject {
    Q_OBJECT

public:
    explicit FileDrop(QWidget* window);

    /// Whether files may be dropped now.
    void setOpen(bool open) { m_open = open; }

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// A file of this machine; `others` more were dropped with it.
    void dropped(const QString& file, int others);

private:
    bool m_open = true;
};

} // namespace lapbench
