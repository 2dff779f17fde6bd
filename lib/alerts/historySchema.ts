import { z } from 'zod';
import { idParam } from '../api/idParam';
import { instant } from '../time/schema';
import { alertItem, alertStates } from './schema';
import { priorities } from './priority';

/** Selects alerts: all conditions must be true. `from` is the first instant of the first raise, `to` the one after. */
export const historyFilter = z.strictObject({
  from: instant.optional(),
  to: instant.optional(),
  /** Where the patient is now, or was at the discharge. */
  unitId: idParam.optional(),
  patientId: idParam.optional(),
  /** The most urgent that the alert had. */
  priority: z.enum(priorities).optional(),
  rule: z
    .string()
    .regex(/^[A-Za-z0-9_.]{1,60}$/, 'is not a rule')
    .optional(),
  state: z.enum(alertStates).optional(),
  /** The id of a user who did something to it. */
  person: idParam.optional(),
});
export type HistoryFilter = z.output<typeof historyFilter>;

export const historyQuery = historyFilter.extend({
  /** The next page: the `next` of the page before. */
  before: z
    .string()
    .regex(/^\d{1,15}-\d{1,15}$/, 'is not the next of a page')
    .optional(),
  pageSize: z.coerce.number().int().min(1).max(100).default(50),
});

export const historyItem = alertItem
  .pick({
    id: true,
    patientId: true,
    deviceName: true,
    patient: true,
    parameter: true,
    rule: true,
    condition: true,
    startedAt: true,
    endedAt: true,
    outcome: true,
    closedAt: true,
    closedBecause: true,
    sentence: true,
  })
  .extend({
    /** When it was first raised. */
    raisedAt: instant,
    /** The most urgent that it had. */
    priority: alertItem.shape.priority,
    /** The first time that was not taken back; null: no one has. */
    acknowledgedAt: instant.nullable(),
    acceptedAt: instant.nullable(),
    /** The last step of the escalation that was asked; null: none. */
    highestStep: z.int().nullable(),
  });
export type HistoryItem = z.infer<typeof historyItem>;

/** Newest first. `next` names the next page; null: there is none. `from` and `to`: the time that was looked through. */
export const historyResponse = z.object({
  items: z.array(historyItem),
  next: z.string().nullable(),
  from: instant,
  to: instant,
});
export type HistoryPage = z.infer<typeof historyResponse>;

/** The users who did something to an alert. */
export const historyPeople = z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })) });

export const budgetDays = ['1', '7', '14'] as const;

export const budgetQuery = z.strictObject({
  days: z.enum(budgetDays).default('1'),
  /** Where the patients are now, or were at the discharge. */
  unitId: idParam.optional(),
});
export type BudgetQuery = z.output<typeof budgetQuery>;

const counts = z.object({ high: z.number(), medium: z.number(), low: z.number() });
/** How long alerts waited for a user, in milliseconds, rounded up to seconds. Null: no one did it. */
const waits = z.object({ count: z.int(), medianMs: z.number().nullable(), p90Ms: z.number().nullable() });
export type Waits = z.infer<typeof waits>;
/** From the first raise to the first acknowledgement and acceptance, and how many asked a third time (step 2). */
const response = z.object({ alerts: z.int(), acknowledged: waits, accepted: waits, reachedStep2: z.int() });

/** The alarm load of a time. What cannot be known is null and never 0. */
export const budgetResponse = z.object({
  from: instant,
  until: instant,
  /** Alerts were raised only from `from` on, which is later than was asked for. */
  isShortened: z.boolean(),
  alerts: z.int(),
  counts,
  /** How many patients were here, and for how many days in all. */
  patients: z.int(),
  patientDays: z.number(),
  /** Alerts per patient and day. */
  perDay: counts.nullable(),
  steps: z.array(
    z.object({ from: instant, until: instant, counts, patientDays: z.number(), perDay: counts.nullable() }),
  ),
  responses: z.object({ high: response, medium: response, low: response }),
  /** The share of HIGH and MEDIUM alerts that reached step 2. LOW ones ask no steps. */
  reachedStep2: z.number().nullable(),
  noisiestPatients: z.array(
    z.object({
      patientId: z.int(),
      patient: alertItem.shape.patient,
      counts,
      share: z.number(),
      patientDays: z.number(),
      perDay: z.number().nullable(),
    }),
  ),
  noisiestRules: z.array(z.object({ rule: z.string(), counts, share: z.number() })),
  /** The share of alerts of the noisiest tenth of the patients who were here. */
  topTenth: z.object({ patients: z.int(), share: z.number() }).nullable(),
});
export type Budget = z.infer<typeof budgetResponse>;
