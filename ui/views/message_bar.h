#pragma once

#include <QString>
#include <QVBoxLayout>
#include <QWidget>

#include <functional>

namespace lapbench {

enum class MessageKind { info, warning, error };

/// Problems and questions above the page: each says what, where and what to do, and stays until it is dismissed. Never
/// modal. GUI thread.
class MessageBar : public QWidget {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// A message of the same key replaces the older one; of a repeated text only the count grows.
    void post(MessageKind kind, const QString& key, const QString& text);
    /// The same with a button; the message goes when it is pressed.
    void ask(const QString& key, const QString& text, const QString& button, std::function<void()> action);
    void dismiss(const QString& key);
    void clear();

    /// What it says now, one message a line.
    QString text() const;

    /// Beyond this many the oldest goes.
    static constexpr int kMostMessages = 4;

private:
    class Message;
    void put(Message* message);
    Message* find(const QString& key) const;

    QVBoxLayout* m_layout;
    QList<Message*> m_messages;
};

} // namespace lapbench
