#pragma once

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

/// A made-up /proc folder with the files of proc(5) that the process tree is read from.
class FakeProc {
public:
    struct Entry {
        int parent = 1;
        char state = 'S';
        int user = 0, system = 0, childUser = 0, childSystem = 0;
        int start = 100;
        int rssPages = 0;
        std::string name = "server";
        int session = 1;
    };

    std::filesystem::path root() const { return m_folder.path().toStdString(); }

    void put(int pid, const Entry& entry)
    {
        std::filesystem::create_directories(root() / std::to_string(pid));
        std::ofstream(root() / std::to_string(pid) / "stat")
            << pid << " (" << entry.name << ") " << entry.state << ' ' << entry.parent << ' ' << pid << ' '
            << entry.session << " 0 -1 4194304 1 2 3 4 " << entry.user << ' ' << entry.system << ' ' << entry.childUser
            << ' ' << entry.childSystem << " 20 0 1 0 " << entry.start << " 123456 " << entry.rssPages << " 99 1 1\n";
        std::ofstream(root() / std::to_string(pid) / "comm") << entry.name << '\n';
    }
    void remove(int pid) { std::filesystem::remove_all(root() / std::to_string(pid)); }

private:
    QTemporaryDir m_folder;
};
