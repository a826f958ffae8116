// Messages by MPI, in a shared object that only a job loads: MPI costs time to load, and need not be
// installed.
#include "Explore/Messages.h"

#include <mpi.h>

#include <list>
#include <memory>

namespace daedalus::explore {
namespace {

class MpiMessages : public Messages {
public:
  MpiMessages() {
    MPI_Init(nullptr, nullptr);
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    ownRank = static_cast<unsigned>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    ranks = static_cast<unsigned>(number);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &number);
    ranksHere = static_cast<unsigned>(number);
    MPI_Comm_free(&machine);
  }

  ~MpiMessages() override {
    for (Sent &message : sent)
      MPI_Wait(&message.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }

  unsigned rank() const override { return ownRank; }
  unsigned size() const override { return ranks; }
  unsigned here() const override { return ranksHere; }

  void send(unsigned to, std::string text) override {
    Sent &message = sent.emplace_back(Sent{std::move(text), MPI_REQUEST_NULL});
    MPI_Isend(message.text.data(), static_cast<int>(message.text.size()), MPI_BYTE, static_cast<int>(to), 0,
              MPI_COMM_WORLD, &message.request);
  }

  std::optional<Message> receive() override {
    forgetReceived();
    int isThere = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &isThere, &status);
    if (!isThere)
      return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &length);
    Message message{static_cast<unsigned>(status.MPI_SOURCE), std::string(static_cast<size_t>(length), '\0')};
    MPI_Recv(message.text.data(), length, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

private:
  struct Sent {
    std::string text;
    MPI_Request request;
  };

  /// MPI reads the text of a message until then.
  void forgetReceived() {
    sent.remove_if([](Sent &message) {
      int isDone = 0;
      MPI_Test(&message.request, &isDone, MPI_STATUS_IGNORE);
      return isDone != 0;
    });
  }

  unsigned ownRank = 0, ranks = 1, ranksHere = 1;
  std::list<Sent> sent;
};

} // namespace
} // namespace daedalus::explore

/// What Job.cpp looks for.
extern "C" daedalus::explore::Messages *daedalusJoinMpi() {
  return std::make_unique<daedalus::explore::MpiMessages>().release();
}
