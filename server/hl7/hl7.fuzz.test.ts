import fc from 'fast-check';
import { addSender } from '../../test/addSender';
import { damaged, latin1, twoPatients } from '../../test/damagedMessage';
import { engines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { connectMllp } from '../../test/mllpClient';
import { startTestServer, type TestServer } from '../../test/testServer';
import { kindOfCode } from '../../lib/vitals/kinds';

// A connection for each message; FUZZ_ROUNDS asks for more.
jest.setTimeout(600_000);

describe.each(engines)('damaged HL7 messages on %s', (engine) => {
  let test: TestServer;
  let port: number;
  let anna: number;
  let bo: number;

  beforeAll(async () => {
    test = await startTestServer(engine, { HL7_PORT: '0' });
    await test.app.ready();
    port = (await test.server.hl7.listen())?.port ?? 0;
    const site = await test.addSite('Fuzzed ward', 'UTC');
    await test.server.alerts.siteChanged(site);
    anna = await test.addPatient(site, { mrn: 'A-100', familyName: 'Abel', dateOfBirth: '1950-01-01' });
    bo = await test.addPatient(site, { mrn: 'B-200', familyName: 'Berg', dateOfBirth: '1960-02-02' });
    await addSender(test, site, { application: 'GATE', facility: 'WARD' });
  });
  afterAll(() => test.stop());

  /** Sends a frame on a connection of its own and resolves with the code of its first answer, if it got one. */
  const codeOf = async (bytes: Uint8Array): Promise<string | null> => {
    const gateway = await connectMllp(port);
    gateway.write(Uint8Array.of(0x0b, ...bytes, 0x1c, 0x0d));
    gateway.socket.end();
    await gateway.closed;
    return gateway.waiting() === 0 ? null : (await gateway.next()).code;
  };

  it('reach no other patient and no other kind, are no fault, and leave the next message taken', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        // A damaged MSH-15 asks for the answers of the enhanced mode.
        expect([null, 'AA', 'AE', 'AR', 'CA', 'CE', 'CR']).toContain(await codeOf(bytes));
      }),
      fuzzRuns,
    );
    await expect(codeOf(latin1(twoPatients))).resolves.toBe('AA');
    const rows = await test.store.db.selectFrom('samples').select(['patient_id', 'kind']).execute();
    const kindsOf = (patientId: number) =>
      [...new Set(rows.filter((row) => row.patient_id === patientId).map(({ kind }) => kindOfCode(kind)))].sort();
    expect(kindsOf(anna)).toEqual(['heartRate', 'spo2']);
    expect(kindsOf(bo)).toEqual(['spo2', 'systolic']);
    expect(test.logLines.filter(({ msg }) => /^an HL7 (message|connection) /.test(String(msg)))).toEqual([]);
  });
});
