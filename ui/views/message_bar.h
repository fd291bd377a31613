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
    /// Adds a sentence to the message of that key, which shows the first kMostSentences and how many more there are;
    /// what it says already it does not say twice.
    void collect(MessageKind kind, const QString& key, const QString& text);
    /// The same as post() with a button; the message goes when it is pressed.
    void ask(const QString& key, const QString& text, const QString& button, std::function<void()> action);
    void dismiss(const QString& key);
    void clear();

    /// What it says now, one sentence a line.
    QString text() const;

    /// Beyond this many the least severe goes, of equals the oldest; never an error.
    static constexpr int kMostMessages = 3;
    static constexpr int kMostSentences = 1;

private:
    class Message;
    void put(Message* message);
    Message* find(const QString& key) const;

    QVBoxLayout* m_layout;
    QList<Message*> m_messages;
};

} // namespace lapbench
