#include "core/result/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

namespace lapbench {

namespace {

class Sha256 {
public:
    Sha256() { EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr); }
    void update(std::string_view bytes) { EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()); }
    std::string hex()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned length = 0;
        EVP_DigestFinal_ex(m_context.get(), digest.data(), &length);
        constexpr std::string_view kDigits = "0123456789abcdef";
        std::string text;
        for (unsigned i = 0; i < length; ++i) {
            text += kDigits[digest[i] >> 4];
            text += kDigits[digest[i] & 15];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

} // namespace

std::string sha256Hex(std::string_view bytes)
{
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

Result<std::string> sha256HexOfFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    Sha256 hash;
    std::array<char, 1 << 16> piece{};
    while (file.read(piece.data(), piece.size()) || file.gcount() > 0)
        hash.update({piece.data(), static_cast<std::size_t>(file.gcount())});
    if (!file.eof())
        return Problem{path.string(), "cannot be read", "check the name and its permissions"};
    return hash.hex();
}

} // namespace lapbench
