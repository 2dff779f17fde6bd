import { alertEvent } from '../lib/alerts/alertFacts';
import type { AlertsPage } from '../lib/alerts/schema';
import { toInstant } from '../lib/time/schema';
import { startTestServer } from '../test/testServer';
import { printTable } from './lines';
import { scenarios, type Bed, type Scenario, type Sent } from './scenarios';

const secondMs = 1_000;

/** What came of a story, a line of the table each. */
interface Played {
  raised: string[];
  asked: string[];
  sounds: number;
  lines: number;
  sentences: string[];
}

/** Returns "2:05" for the milliseconds since the start of a story. */
function clock(ms: number): string {
  const seconds = Math.round(ms / secondMs);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

async function play(scenario: Scenario): Promise<Played> {
  const test = await startTestServer('sqlite');
  try {
    const siteId = await test.addSite();
    await test.startRules(siteId);
    const patientId = await test.addPatient(siteId, {
      mrn: 'A1',
      dateOfBirth: '1950-03-07',
      location: { unit: 'East', bed: '1' },
      ...scenario.patient,
    });
    const nurse = await test.signIn(siteId, 'nurse');
    const physician = await test.signIn(siteId, 'physician');
    await test.addUnit(siteId, 'East', [nurse.userId]);
    await test.addUnit(siteId, 'West');
    const setting = scenario.expectedEveryMs === undefined ? {} : { expectedEveryMs: scenario.expectedEveryMs };
    const assigned = await test.addDevice(siteId, { name: 'monitor', ...setting });
    const second = await test.addDevice(siteId, { name: 'second' });
    await nurse.call('POST', `/api/v2/devices/${assigned.id}/assignment`, {
      mrn: 'A1',
      dateOfBirth: scenario.patient?.dateOfBirth ?? '1950-03-07',
    });
    const open = async () =>
      (await nurse.call('GET', `/api/v2/alerts?patientId=${patientId}`)).json<AlertsPage>().items;
    const bed: Bed = {
      test,
      siteId,
      patientId,
      nurse,
      physician,
      onEach: async (action, body) => {
        for (const { id, version } of await open()) {
          await nurse.call('POST', `/api/v2/alerts/${id}/${action}`, { version, ...body });
        }
      },
    };
    const tokens = { assigned: assigned.token, second: second.token };
    const begun = test.now();
    for (let at = 0; at < scenario.minutes * 60; at += 1) {
      const sent = scenario.sends(at);
      for (const device of ['assigned', 'second'] as const) {
        await send(
          test,
          patientId,
          tokens[device],
          scenario,
          sent.filter((one) => (one.device ?? 'assigned') === device),
        );
      }
      await scenario.actions?.[at]?.(bed);
      if (at % 60 === 0) {
        // A screen that no one touches for minutes is locked.
        await nurse.call('POST', '/api/v2/auth/activity');
        await physician.call('POST', '/api/v2/auth/activity');
      }
      await test.server.alerts.evaluateClock();
      test.advance(secondMs);
    }
    const rows = await test.store.db
      .selectFrom('alert_events')
      .select(['alert_id', 'event'])
      .where('site_id', '=', siteId)
      .orderBy('id')
      .execute();
    const events = rows.map((row) => ({ ...alertEvent.parse(JSON.parse(row.event)), alert: row.alert_id }));
    const first = Math.min(...events.map(({ alert }) => alert));
    return {
      raised: events.flatMap((event) =>
        event.is === 'raised' || event.is === 'raised_again'
          ? [`${clock(event.at - begun)} ${event.rule} ${event.priority}`]
          : event.is === 'upgraded'
            ? [`${clock(event.at - begun)} ${event.rule} ${event.from} to ${event.to}`]
            : [],
      ),
      asked: events.flatMap((event) =>
        event.is === 'asked' ? [`${clock(event.at - begun)} step ${event.step} of ${event.alert - first + 1}`] : [],
      ),
      sounds: events.filter(({ is }) => ['raised', 'raised_again', 'upgraded', 'reminded'].includes(is)).length,
      lines: events.length,
      sentences: (await open()).map(({ sentence }) => sentence),
    };
  } finally {
    await test.stop();
  }
}

async function send(
  test: Bed['test'],
  patientId: number,
  token: string,
  { statesSentAt }: Scenario,
  sent: readonly Sent[],
): Promise<void> {
  if (sent.length === 0) {
    return;
  }
  const samples = sent.map(({ kind, value, quality, agoS = 0 }) => ({
    patientId,
    kind,
    value: value ?? 0,
    takenAt: toInstant(test.now() - agoS * secondMs),
    ...(quality === undefined ? {} : { quality }),
  }));
  const response = await test.ingest(token, samples, statesSentAt === false ? {} : { sentAt: toInstant(test.now()) });
  if (response.statusCode !== 200) {
    throw new Error(`Ingest responded with ${response.statusCode}: ${response.body}`);
  }
}

/** Returns at most four entries, and how many more there are. */
function few(entries: readonly string[]): string {
  const more = entries.length > 4 ? `; ${entries.length - 4} more` : '';
  return entries.length === 0 ? '-' : `${entries.slice(0, 4).join('; ')}${more}`;
}

/**
 * Plays each story of `bench/scenarios` on a server of its own whose clock moves a second a step, and prints what was
 * raised, who was asked when (minutes:seconds), how often it sounded, and the lines of the log.
 */
export async function benchAlertScenarios(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const scenario of scenarios) {
    const { raised, asked, sounds, lines, sentences } = await play(scenario);
    rows.push([scenario.name, scenario.story, few(raised), few(asked), sounds, lines, few(sentences)]);
  }
  printTable(['case', 'story', 'raised', 'asked', 'sounds', 'log lines', 'cards at the end'], rows);
}
