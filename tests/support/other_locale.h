#pragma once

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <clocale>
#include <locale>
#include <string>

namespace lapbench::test {

/// As long as it lives, the process is a German user's: numbers are written with a decimal comma and dots between
/// thousands, by the C library too where a German locale can be had.
class CommaLocale {
public:
    CommaLocale() : m_cpp(std::locale::global(std::locale(std::locale::classic(), new German)))
    {
        m_c = std::setlocale(LC_ALL, nullptr);
        if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr)
            return;
        QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", m_folder.filePath("de_DE.UTF-8")});
        qputenv("LOCPATH", QFile::encodeName(m_folder.path()));
        std::setlocale(LC_ALL, "de_DE.UTF-8");
    }
    ~CommaLocale()
    {
        std::locale::global(m_cpp);
        std::setlocale(LC_ALL, m_c.c_str());
        qunsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    /// Whether the C library writes commas too.
    static bool inC() { return *std::localeconv()->decimal_point == ','; }

private:
    struct German : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };

    QTemporaryDir m_folder;
    std::locale m_cpp;
    std::string m_c;
};

} // namespace lapbench::test
