#pragma once

#include <filesystem>
#include <string>

namespace lapbench::test {

/// Certificates made for one run of a test, in a folder of their own that goes with this: an authority, a server
/// ("localhost", "name.test" and 127.0.0.1, signed by it) and a client ("the client", signed by it). PEM files. Aborts
/// the test program where they cannot be made.
class Certificates {
public:
    Certificates();
    ~Certificates();
    Certificates(const Certificates&) = delete;
    Certificates& operator=(const Certificates&) = delete;

    std::string authority() const { return file("authority.pem"); }
    std::string server() const { return file("server.pem"); }
    std::string serverKey() const { return file("server.key"); }
    std::string client() const { return file("client.pem"); }
    std::string clientKey() const { return file("client.key"); }
    const std::filesystem::path& folder() const { return m_folder; }

private:
    std::string file(const char* name) const { return (m_folder / name).string(); }

    std::filesystem::path m_folder;
};

} // namespace lapbench::test
