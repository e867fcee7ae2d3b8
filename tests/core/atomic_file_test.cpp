#include "core/atomic_file.hpp"

#include <weft/error.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace weft::detail {

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

void save(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  for (std::size_t at = 0; at < text.size(); at += 1000) file.write(std::string_view(text).substr(at, 1000));
  file.commit();
}

/// A process that starts to write the file and is killed.
void start_and_die(const std::string& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path);
    file.write("half");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(AtomicFileTest, SeveralThreadsSaveToOnePathAndOneFileStaysWhole) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.weft");
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> writers;
    for (char name = 'a'; name < 'e'; ++name)
      writers.emplace_back([&, name] { save(path, std::string(static_cast<std::size_t>(name) * 2000, name)); });
    for (std::thread& writer : writers) writer.join();
    const std::string text = contents(path);
    ASSERT_FALSE(text.empty());
    ASSERT_EQ(text, std::string(static_cast<std::size_t>(text[0]) * 2000, text[0])) << "round " << round;
    ASSERT_EQ(names_in(folder.path()), std::set<std::string>{"model.weft"});
  }
}

TEST(AtomicFileTest, TheNextWriterRemovesWhatADeadOneLeft) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.weft");
  for (int dead = 0; dead < 3; ++dead) start_and_die(path);
  EXPECT_EQ(names_in(folder.path()).size(), 1u);  // each removes what the one before it left
  save(path, "whole");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"model.weft"});
  EXPECT_EQ(contents(path), "whole");
}

TEST(AtomicFileTest, AWriterThatLivesIsLeftAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.weft");
  AtomicFile first(path);
  first.write("first");
  save(path, "second");
  EXPECT_EQ(contents(path), "second");
  first.commit();
  EXPECT_EQ(contents(path), "first") << "the last to finish stays";
}

TEST(AtomicFileTest, NothingIsWrittenThroughALinkUnderTheTemporaryName) {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.weft");
  std::ofstream(folder.file("victim")) << "precious";
  for (int number = 0; number < 3; ++number)
    std::filesystem::create_symlink(folder.file("victim"), path + ".tmp-weft-" + std::to_string(number));
  save(path, "whole");
  EXPECT_EQ(contents(path), "whole");
  EXPECT_EQ(contents(folder.file("victim")), "precious");
}

TEST(AtomicFileTest, TheLongestNamesHaveATemporaryToo) {
  const TemporaryFolder folder;
  const std::string path = folder.file(std::string(255, 'n'));
  save(path, "whole");
  EXPECT_EQ(contents(path), "whole");
}

TEST(AtomicFileTest, ASignalHandlerCanRemoveWhatIsUnfinished) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();  // a process about to end: a handler cannot free the names that it takes
  if (child == 0) {
    bool refused = false;
    {
      AtomicFile file(folder.file("a"));
      AtomicFile other(folder.file("b"));
      file.write("half");
      other.commit();
      unlink_temporary_files();
      if (names_in(folder.path()) != std::set<std::string>{"b"}) ::_exit(1);
      try {
        file.commit();
      } catch (const Error&) {
        refused = true;
      }
    }
    ::_exit(refused ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"b"});
}

}  // namespace

}  // namespace weft::detail
