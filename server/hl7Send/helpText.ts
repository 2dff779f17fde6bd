/** What `npm run hl7:send -- --help` prints. */
export const helpText = `Sends recorded HL7 messages over MLLP as a gateway does, each after the answer to the last.

  npm run hl7:send -- [options] file

  The file holds MLLP frames (0x0B ... 0x1C 0x0D), or plain text in which each message begins with MSH.

Where to
  --to <host:port>     the listener (default 127.0.0.1:2575)
  --tls-ca <file>      speak TLS and trust this certificate (PEM)
  --tls-cert <file>    the client's certificate and key (PEM), by which
  --tls-key <file>       the listener can recognise the sender

When
  --speed <n>|max      recording time per real time (default 1); max waits for answers only
  --now                shift all times of the recording by the same amount: at speed 1 the first message is from now.
                       At a higher speed the last one is from the moment at which it will be sent, so none is from
                       the future. Birth dates stay.
  --zone <name>        the zone of times without one, as the site has it (default: this machine's)

Faults on demand
  --split <bytes>      packets of at most that many bytes
  --repeat <n>         send each message n times more, the same bytes under the same MSH-10
  --break <n>          before each n-th message send its first half without an end

The next message is sent after whatever comes back. What is no answer to the message (no MSA, another MSA-2, the byte
NAK, bytes in no frame) is named, and counted as "not understood". After 10 s without an answer, or when the connection
is lost, the message is sent again, three times in all. After 30 s without an answer the command ends.

Ends with 0 when each message got AA (or CA), 1 when one did not, 2 when the command or the file cannot be understood.
`;

/** What `npm run hl7:check -- --help` prints. */
export const checkHelpText = `Says what would be taken of recorded HL7 messages, line by line and why, without a server.

  npm run hl7:check -- [--settings file] file

  --settings <file>    what two people have answered about the sender: the JSON of GET /api/v2/admin/senders/settings,
                       or "settings" of one of its items (default: what the messages propose)

Each message is read as if it came when it was sent, of an admitted patient in a mapped bed. What a site has mapped of
codes, and whose numbers it takes, only the server knows. No number, name, birth date or text is printed.
Ends with 0 when all would be taken, 1 when something would not, 2 when a file cannot be understood.
`;
