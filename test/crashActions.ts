import type { z } from 'zod';
import { patientLimits } from '../lib/alerts/limitsSchema';
import { alertsPage, type AlertItem } from '../lib/alerts/schema';
import { assignmentsResponse, type AssignmentBody, type Holder } from '../lib/assignments/schema';
import { patientResponse } from '../lib/patients/schema';
import { spo2Target } from '../lib/patients/spo2TargetSchema';
import type { UserType } from '../lib/session/userTypes';
import { siteSettings } from '../lib/site/schema';
import { usersResponse } from '../lib/users/schema';
import type { Store } from '../server/db/open';
import { insertUser } from '../server/session/insertUser';
import { createPasswords } from '../server/session/passwords';
import { ensureUnit } from '../server/units/ensureUnit';
import { passwordCost, testPassword } from './testServer';

/** A user and what their browser keeps. */
interface Person {
  id: number;
  email: string;
  cookies: string | null;
}

interface People {
  units: { north: number; south: number };
  lead: Person;
  physician: Person;
  nurses: readonly Person[];
}

/** A ward of two units, with a device that is put on and taken off. All patients are in North, born on one day. */
export interface Ward extends People {
  patients: readonly { id: number; mrn: string; bed: string }[];
  dateOfBirth: string;
  deviceId: number;
}

/** The server was gone before it responded: it may have done what it was asked. */
export class NoResponse extends Error {}

/** Adds two units and those who work there. */
export async function addPeople({ db }: Store, siteId: number, now: number): Promise<People> {
  const unit = async (name: string): Promise<number> =>
    (await db.transaction().execute((transaction) => ensureUnit(transaction, now, siteId, name))).id;
  const units = { north: await unit('North'), south: await unit('South') };
  const passwordHash = await createPasswords(passwordCost).hash(testPassword);
  const add = async (fname: string, type: UserType): Promise<Person> => {
    const email = `${fname}@example.org`;
    const user = { siteId, email, fname, lname: 'Example', type, isAdmin: type === 'ward_lead', passwordHash };
    return { id: await insertUser(db, now, { ...user, isWaiting: false }), email, cookies: null };
  };
  const addNurse = async (fname: string): Promise<Person> => {
    const nurse = await add(fname, 'nurse');
    const belongs = Object.values(units).map((unit_id) => ({ user_id: nurse.id, unit_id }));
    await db.insertInto('user_units').values(belongs).execute();
    return nurse;
  };
  return {
    units,
    lead: await add('lead', 'ward_lead'),
    physician: await add('physician', 'physician'),
    nurses: [await addNurse('ada'), await addNurse('ben'), await addNurse('cy')],
  };
}

/** What the action of a step is about. */
interface Step {
  patient: Ward['patients'][number];
  nurse: Person;
  /** The nurse, or the lead while she is signed out. */
  by: Person;
  /** Whether the action is done this time, or reversed. */
  isOn: boolean;
}

type Plan = (() => Promise<number>) | null;
/**
 * Looks at the ward and returns what sends the action and resolves with the status of the response, or null if there is
 * nothing to do. Sent twice, it is done once: it names the version that was seen, or looks again, or the server refuses
 * or ignores the second one.
 */
type Action = (step: Step) => Plan | Promise<Plan>;

/** In place of the server's refusal of what is so already. */
const nothingToDo = 409;

/** Returns the actions of clinical.md section 00 by name, which users send over HTTP to the server at `port()`. */
function actionsOf(port: () => number, { units, lead, physician, deviceId, dateOfBirth }: Ward) {
  const send = async (
    person: Person,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }> => {
    const cookies = person.cookies ?? '';
    const headers = {
      Cookie: cookies,
      'X-XSRF-TOKEN': /XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1] ?? '',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(`http://127.0.0.1:${port()}/api/v2/${path}`, sent);
      const set = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
      const text = await response.text();
      person.cookies = set.length === 0 ? person.cookies : set.join('; ');
      return { status: response.status, text };
    } catch {
      throw new NoResponse();
    }
  };
  const call = async (person: Person, method: string, path: string, body?: object): Promise<number> => {
    const { status, text } = await send(person, method, path, body);
    // What the ward's state forbids is refused; nothing here is malformed, and the server is there or not.
    if (status === 400 || status >= 500) {
      throw new Error(`${method} ${path} responded with ${status}: ${text}`);
    }
    return status;
  };
  const read = async <Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>> => {
    const { status, text } = await send(lead, 'GET', path);
    if (status !== 200) {
      throw new Error(`GET ${path} responded with ${status}: ${text}`);
    }
    return schema.parse(JSON.parse(text));
  };
  const signIn = async (person: Person): Promise<number> => {
    const status = await call(person, 'POST', 'auth/sign-in', { email: person.email, password: testPassword });
    person.cookies = status === 200 ? person.cookies : null;
    return status;
  };
  const endSessions = (person: Person): Promise<number> => call(lead, 'POST', `admin/users/${person.id}/end-sessions`);

  const onAlert =
    (does: 'accept' | 'acknowledge', isOpen: (alert: AlertItem) => boolean): Action =>
    async ({ by }) => {
      const { items } = await read(alertsPage, 'alerts?pageSize=500');
      const [alert] = items
        .filter((each) => each.condition === 'active' && isOpen(each))
        .toSorted((a, b) => (a.patientId ?? 0) - (b.patientId ?? 0));
      return alert === undefined
        ? null
        : () => call(by, 'POST', `alerts/${alert.id}/${does}`, { version: alert.version });
    };
  const onUser =
    (change: (isOn: boolean) => object): Action =>
    async ({ nurse, isOn }) => {
      const { items } = await read(usersResponse, 'admin/users');
      const version = items.find(({ id }) => id === nurse.id)?.version;
      return () => call(lead, 'PATCH', `admin/users/${nurse.id}`, { version, ...change(isOn) });
    };
  const onPatient =
    (change: (step: Step) => object): Action =>
    async (step) => {
      const path = `patients/${step.patient.id}`;
      const { version } = await read(patientResponse, path);
      return () => call(lead, 'PATCH', path, { version, ...change(step) });
    };
  const readNorth = () => read(assignmentsResponse, `assignments?unit=${units.north}`);
  const assign = (nurse: Person, holder: Holder | null, to: Pick<AssignmentBody, 'role' | 'patientId'>): Plan => {
    const body = { unitId: units.north, shift: 'current', ...to, userId: nurse.id, version: holder?.version ?? 0 };
    return () => call(lead, 'PUT', 'assignments', body);
  };
  /** What holds a patient's alerts back. */
  const onPause =
    (of: 'standby' | 'comfortCare', begin: (step: Step) => Promise<number>, end: typeof begin): Action =>
    (step) =>
    async () => {
      const isSo = (await read(patientResponse, `patients/${step.patient.id}`))[of] !== null;
      return isSo === step.isOn ? nothingToDo : await (step.isOn ? begin(step) : end(step));
    };

  const actions: Readonly<Record<string, Action>> = {
    // In this order each action can succeed in the first turn.
    shift: async ({ nurse }) =>
      assign(nurse, (await readNorth()).roles.charge_nurse, { role: 'charge_nurse', patientId: null }),
    assignment: async ({ nurse, patient }) => {
      const found = (await readNorth()).patients.find(({ id }) => id === patient.id);
      return found === undefined ? null : assign(nurse, found.holders.nurse, { role: 'nurse', patientId: found.id });
    },
    'sign out': ({ nurse }) =>
      nurse.cookies === null
        ? null
        : async () => {
            const status = await call(nurse, 'POST', 'auth/sign-out');
            nurse.cookies = null;
            return status;
          },
    limits: async ({ patient, isOn }) => {
      const path = `patients/${patient.id}/limits`;
      const { items } = await read(patientLimits, path);
      const basedOn = items.find(({ rule }) => rule === 'spo2.below')?.own?.setAt ?? null;
      const body = { rule: 'spo2.below', values: isOn ? { low: 88 } : {}, reason: 'Usual for this patient', basedOn };
      return () => call(physician, 'PUT', path, body);
    },
    scale: async ({ patient, isOn }) => {
      const path = `patients/${patient.id}/spo2-target`;
      const { version } = await read(spo2Target, path);
      const target = isOn ? { scale: 2, low: 88, high: 92 } : { scale: 1, low: 94, high: 98 };
      return () => call(physician, 'PUT', path, { version, ...target, reason: 'Known COPD' });
    },
    'sign in': ({ nurse }) =>
      nurse.cookies !== null
        ? null
        : async () => {
            // Ends a session whose response was lost.
            await endSessions(nurse);
            return await signIn(nurse);
          },
    'emergency access':
      ({ nurse, isOn }) =>
      () =>
        isOn
          ? call(nurse, 'POST', 'auth/break-glass', { reason: 'Alone on the ward tonight' })
          : call(nurse, 'POST', 'auth/break-glass/end'),
    move: onPatient(({ patient: { bed }, isOn }) => ({ location: { unit: isOn ? 'South' : 'North', bed } })),
    device:
      ({ patient: { mrn }, isOn }) =>
      () =>
        isOn
          ? call(lead, 'POST', `devices/${deviceId}/assignment`, { mrn, dateOfBirth })
          : call(lead, 'DELETE', `devices/${deviceId}/assignment`),
    'site settings': async ({ isOn }) => {
      const { version } = await read(siteSettings, 'admin/site');
      return () => call(lead, 'PATCH', 'admin/site', { version, rapidResponseNumber: isOn ? '2222' : null });
    },
    accept: onAlert('accept', ({ accepted }) => accepted === null),
    acknowledge: onAlert('acknowledge', ({ acknowledged }) => acknowledged === null),
    'end of a session':
      ({ nurse }) =>
      async () => {
        const status = await endSessions(nurse);
        nurse.cookies = null;
        return status;
      },
    standby: onPause(
      'standby',
      ({ by, patient }) => call(by, 'POST', `patients/${patient.id}/standby`, { reason: 'Wash', minutes: 5 }),
      ({ by, patient }) => call(by, 'POST', `patients/${patient.id}/standby/end`),
    ),
    'comfort care': onPause(
      'comfortCare',
      ({ patient }) => call(physician, 'PUT', `patients/${patient.id}/comfort-care`, { reason: 'As agreed' }),
      ({ patient }) => call(physician, 'DELETE', `patients/${patient.id}/comfort-care`),
    ),
    unit: onUser((isOn) => ({ unitIds: isOn ? [units.south] : Object.values(units) })),
    disabled: onUser((isDisabled) => ({ isDisabled })),
    role: onUser((isOn) => ({ type: isOn ? 'respiratory_therapist' : 'nurse' })),
    discharge: onPatient(({ patient: { bed }, isOn }) =>
      isOn ? { state: 'discharged' } : { state: 'active', location: { unit: 'North', bed } },
    ),
  };
  return { actions, call, signIn };
}

/**
 * Returns what sends the actions. `arrive` signs all in; `stay` touches the page of each who is there; `act` sends that
 * of a step, by numbers from 0. `survive` runs work that a kill may interrupt, and repeats it on the next server.
 * `neverDone`: the actions that no server has done.
 */
export function createActions(port: () => number, ward: Ward, survive: (work: () => Promise<void>) => Promise<void>) {
  const { actions, call, signIn } = actionsOf(port, ward);
  const everyone = [ward.lead, ward.physician, ...ward.nurses];
  const names = Object.keys(actions);
  const neverDone = new Set(names);
  return {
    neverDone,
    arrive: async (): Promise<void> => {
      for (const person of everyone) {
        await survive(async () => {
          expect(await signIn(person)).toBe(200);
        });
      }
    },
    stay: async (): Promise<void> => {
      for (const person of everyone.filter(({ cookies }) => cookies !== null)) {
        await survive(async () => {
          const status = await call(person, 'POST', 'auth/activity');
          person.cookies = status === 401 ? null : person.cookies;
        });
      }
    },
    act: async (step: number): Promise<void> => {
      const [index, turn] = [step % names.length, Math.floor(step / names.length)];
      const name = names[index] ?? '';
      // What is done in one turn is reversed in the next one; then it is others' turn.
      const [pair, isOn] = [Math.floor(turn / 2), turn % 2 === 0];
      const patient = ward.patients[(index * 5 + pair) % ward.patients.length];
      const nurse = ward.nurses[(index + pair) % ward.nurses.length];
      if (patient === undefined || nurse === undefined) {
        throw new Error('A ward has patients and nurses');
      }
      const by = nurse.cookies === null ? ward.lead : nurse;
      let plan: Plan | undefined;
      await survive(async () => {
        plan ??= await actions[name]?.({ patient, nurse, by, isOn });
        const status = await plan?.();
        if (status !== undefined && status < 300) {
          neverDone.delete(name);
        }
      });
    },
  };
}
