#pragma once

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

/// Made-up /proc and /sys folders.
class FakeMachine {
public:
    std::filesystem::path proc() const { return root() / "proc"; }
    std::filesystem::path sys() const { return root() / "sys"; }

    /// Writes a file below the root, "proc/stat", in one step, so that who reads meanwhile gets the old or the new
    /// text.
    void put(const std::string& file, const std::string& text) const
    {
        const std::filesystem::path path = root() / file, next = path.string() + ".next";
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(next) << text;
        std::filesystem::rename(next, path);
    }

private:
    std::filesystem::path root() const { return m_folder.path().toStdString(); }

    QTemporaryDir m_folder;
};
