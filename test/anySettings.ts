import fc from 'fast-check';
import { neverMrn, senderSettings, type SenderSettings, versionOne } from '../lib/hl7/senderSettings';

const { beside, charset, missingStatus, quarantine } = senderSettings.shape;
const { partly, wholly } = quarantine.shape;

const spo2 = { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' };
const heartRate = { id: '147842', text: 'MDC_ECG_HEART_RATE', system: 'MDC' };
const pulseRate = { id: '149530', text: 'MDC_PULS_OXIM_PULS_RATE', system: 'MDC' };
const temperature = { id: '150344', text: 'MDC_TEMP', system: 'MDC' };
const systolic = { id: '150301', text: 'MDC_PRESS_CUFF_SYS', system: 'MDC' };

const identifier = fc
  .record({
    type: fc.constantFrom('MR', 'PI', '', 'AN', 'SS'),
    authority: fc.constantFrom(null, '', 'HOSP', 'OTHER'),
    is: fc.constantFrom('mrn' as const, 'none' as const),
  })
  .map((rule) => ({ ...rule, is: neverMrn.includes(rule.type) ? ('none' as const) : rule.is }));

/** The last one has lost its first letter. */
const text = fc.record({
  code: fc.constantFrom(
    { id: '151562', text: 'Atmung', system: 'MDC' },
    { id: '147842', text: 'HR left', system: 'MDC' },
    { id: '150456', text: 'DC_PULS_OXIM_SAT_O2', system: 'MDC' },
  ),
  isMeant: fc.boolean(),
});

/** Any answers about a sender that two people can give, about what is in the messages of `damagedMessage`. */
export const anySettings: fc.Arbitrary<SenderSettings> = fc
  .record<SenderSettings>({
    identifiers: fc.oneof(
      fc.constant(versionOne.identifiers),
      fc.uniqueArray(identifier, { selector: ({ type, authority }) => `${type} ${authority}`, maxLength: 6 }),
    ),
    bedRoute: fc.boolean(),
    beside: fc.constantFrom(...beside.options),
    timeZone: fc.constantFrom(null, 'UTC', 'Asia/Kathmandu'),
    charset: fc.constantFrom(...charset.options),
    sentinels: fc.subarray([
      { code: spo2, values: [127] },
      { code: heartRate, values: [999] },
      { code: pulseRate, values: [255, 500] },
    ]),
    isZeroRateNoSignal: fc.boolean(),
    missingStatus: fc.constantFrom(...missingStatus.options),
    quarantine: fc.record({ partly: fc.constantFrom(...partly.options), wholly: fc.constantFrom(...wholly.options) }),
    texts: fc.option(fc.uniqueArray(text, { selector: ({ code }) => code.text, maxLength: 3 }), { freq: 2 }),
    coreTemperatures: fc.subarray(['T1', 'T2', '']),
    missingUnits: fc.subarray([
      { code: spo2, unit: '%' },
      { code: heartRate, unit: 'bpm' },
      { code: pulseRate, unit: '/min' },
      { code: temperature, unit: '[degF]' },
      { code: systolic, sent: 'mm Quecksilber', unit: 'mm[Hg]' },
    ]),
  })
  .map((settings) => senderSettings.parse(settings));
