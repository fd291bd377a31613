#include "ui/views/message_bar.h"

#include "ui/style/target_colours.h"
#include "ui/style/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace lapbench {

/// One line of the bar.
class MessageBar::Message : public QWidget {
public:
    Message(MessageKind kind, const QString& key, const QString& text, MessageBar* bar)
        : QWidget(bar), m_kind(kind), m_key(key), m_texts(text), m_icon(new QLabel(this)), m_label(new QLabel(this)),
          m_layout(new QHBoxLayout(this))
    {
        m_layout->setContentsMargins(12, 6, 8, 6);
        m_layout->setSpacing(8);
        m_layout->addWidget(m_icon, 0, Qt::AlignTop);
        m_layout->addWidget(m_label, 1);
        m_label->setWordWrap(true);
        m_label->setTextFormat(Qt::PlainText);
        m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto* dismiss = new QToolButton(this);
        dismiss->setAutoRaise(true);
        dismiss->setObjectName(QStringLiteral("dismissButton"));
        dismiss->setAccessibleName(tr("Dismiss"));
        dismiss->setToolTip(tr("Dismiss"));
        m_dismiss = dismiss;
        m_layout->addWidget(dismiss, 0, Qt::AlignTop);
        connect(dismiss, &QToolButton::clicked, bar, [bar, key] { bar->dismiss(key); });
        showText();
        applyPalette();
    }

    void addButton(const QString& text, std::function<void()> action, MessageBar* bar)
    {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QStringLiteral("messageButton"));
        m_layout->insertWidget(2, button, 0, Qt::AlignTop);
        connect(button, &QPushButton::clicked, bar, [bar, key = m_key, action = std::move(action)] {
            bar->dismiss(key);
            action();
        });
    }

    void repeat()
    {
        ++m_count;
        showText();
    }

    void add(MessageKind kind, const QString& text)
    {
        if (m_texts.contains(text))
            return;
        m_kind = std::max(m_kind, kind);
        m_texts.append(text);
        showText();
        applyPalette();
        update();
    }

    MessageKind kind() const { return m_kind; }
    const QString& key() const { return m_key; }
    QString text() const { return m_texts.join(QLatin1Char('\n')); }

protected:
    void changeEvent(QEvent* event) override
    {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            applyPalette();
    }

    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), palette().color(QPalette::Base));
        painter.fillRect(QRect(0, 0, 4, height()), colour());
        painter.fillRect(QRect(0, height() - 1, width(), 1), hairlineColour(palette()));
    }

private:
    QColor colour() const
    {
        switch (m_kind) {
        case MessageKind::error:
            return errorColour(palette());
        case MessageKind::warning:
            return warningColour(palette());
        case MessageKind::info:
            break;
        }
        return palette().color(QPalette::Highlight);
    }

    void applyPalette()
    {
        QPalette tinted = palette();
        tinted.setColor(QPalette::ButtonText, colour());
        const QString name = m_kind == MessageKind::error     ? QStringLiteral("error")
                             : m_kind == MessageKind::warning ? QStringLiteral("warning")
                                                              : QStringLiteral("info");
        m_icon->setPixmap(lineIcon(name, tinted).pixmap(20, 20));
        m_dismiss->setIcon(lineIcon(QStringLiteral("close"), palette()));
    }

    void showText()
    {
        QStringList shown = m_texts.mid(0, kMostSentences);
        if (m_texts.size() > shown.size())
            shown.last() += tr(" (and %1 more)").arg(m_texts.size() - shown.size());
        const QString text = shown.join(QLatin1Char('\n'));
        m_label->setText(m_count > 1 ? tr("%1 (%2 times)").arg(text).arg(m_count) : text);
        m_label->setToolTip(m_texts.size() > kMostSentences ? this->text() : QString());
        setAccessibleName(m_label->text());
    }

    MessageKind m_kind;
    QString m_key;
    QStringList m_texts;
    QLabel* m_icon;
    QLabel* m_label;
    QHBoxLayout* m_layout;
    QToolButton* m_dismiss = nullptr;
    int m_count = 1;
};

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    setAccessibleName(tr("Messages"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    hide();
}

MessageBar::Message* MessageBar::find(const QString& key) const
{
    for (Message* message : m_messages) {
        if (message->key() == key)
            return message;
    }
    return nullptr;
}

void MessageBar::put(Message* message)
{
    dismiss(message->key());
    m_messages.append(message);
    m_layout->addWidget(message);
    show();
    if (m_messages.size() <= kMostMessages)
        return;
    const Message* least = *std::min_element(m_messages.begin(), m_messages.end(),
                                             [](const Message* a, const Message* b) { return a->kind() < b->kind(); });
    if (least->kind() != MessageKind::error)
        dismiss(least->key());
}

void MessageBar::post(MessageKind kind, const QString& key, const QString& text)
{
    if (Message* same = find(key); same && same->text() == text) {
        same->repeat();
        return;
    }
    put(new Message(kind, key, text, this));
}

void MessageBar::collect(MessageKind kind, const QString& key, const QString& text)
{
    if (Message* same = find(key))
        same->add(kind, text);
    else
        put(new Message(kind, key, text, this));
}

void MessageBar::ask(const QString& key, const QString& text, const QString& button, std::function<void()> action)
{
    auto* message = new Message(MessageKind::info, key, text, this);
    message->addButton(button, std::move(action), this);
    put(message);
}

void MessageBar::dismiss(const QString& key)
{
    Message* message = find(key);
    if (!message)
        return;
    m_messages.removeOne(message);
    m_layout->removeWidget(message);
    message->hide();
    message->deleteLater();
    setVisible(!m_messages.isEmpty());
}

void MessageBar::clear()
{
    while (!m_messages.isEmpty())
        dismiss(m_messages.last()->key());
}

QString MessageBar::text() const
{
    QStringList lines;
    for (const Message* message : m_messages)
        lines << message->text();
    return lines.join(QLatin1Char('\n'));
}

} // namespace lapbench
