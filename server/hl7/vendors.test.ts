import { Hl7Message } from '@medplum/core';
import { Message } from 'node-hl7-client';
import type { SenderSettings } from '../../lib/hl7/senderSettings';
import type { ListedSender, SenderSettingsResponse, SendersResponse } from '../../lib/interfaces/schema';
import type { MappingsResponse } from '../../lib/mappings/schema';
import { toInstant } from '../../lib/time/schema';
import { type VitalKind, vitalKinds } from '../../lib/vitals/kinds';
import { rawPoint, type VitalsResponse } from '../../lib/vitals/schema';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import { frame } from '../../test/mllpClient';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';

/** What monitors of one maker send. Names, numbers and values are invented; the form is that of the source. */
interface Shape {
  name: string;
  /** Who says that it looks so. "Public code": a message in a public repository that reads this maker's messages. */
  source: string;
  /** {T} is the time of now by its clock, {T-30} that of 30 s before, {ID} counts messages. */
  lines: readonly string[];
  /** MRN, family name, given name and birth date, as we have them. */
  patient: readonly [string, string, string, string];
  /** What its clock is ahead of UTC, in minutes. The site's, where its messages say no zone. */
  aheadMinutes: number;
  /** Of its bytes. */
  encoding?: 'latin1';
  /** Of the last message. CA where it wants no other. */
  answer: 'AA' | 'CA';
  /** What two people answer otherwise than proposed. */
  choices?: Partial<SenderSettings>;
  /** What its codes are, by OBX-3.1, and OBX-4 where that decides. Nothing else is a value. */
  kinds: Readonly<Record<string, VitalKind>>;
  /** The codes among them that no table has: two people map each. */
  mapped?: readonly string[];
}

/** Of Europe/Berlin in May. */
const siteAhead = 120;
const profile = 'IHE PCD^1.3.6.1.4.1.19376.1.6.1.1.1^ISO';
const [percent, beats] = ['262688^MDC_DIM_PERCENT^MDC', '264864^MDC_DIM_BEAT_PER_MIN^MDC'];
const [breaths, mmHg] = ['264928^MDC_DIM_RESP_PER_MIN^MDC', '266016^MDC_DIM_MMHG^MDC'];
const celsius = '268192^MDC_DIM_DEGC^MDC';
const cuff = { '150301': 'systolic', '150302': 'diastolic' } as const;

const shapes: readonly Shape[] = [
  {
    name: 'IHE PCD-01 (DEC)',
    source: 'IHE PCD Technical Framework, volume 2, PCD-01, example; also in the tests of HAPI and IPF',
    lines: [
      'MSH|^~\\&|MadeUp^0102030405060708^EUI-64||||{T}+0500||ORU^R01^ORU_R01|{ID}|P|2.6|||NE|AL|||||' +
        'IHE PCD ORU-R01 2006^HL7^2.16.840.1.113883.9.n.m^HL7',
      'PID|||700101^^^Imaginary Hospital^PI ||Quill^Iris^Ann^^^^L^A|||F',
      'OBR|1|A1^MadeUp^0102030405060708^EUI-64|C1^MadeUp^0102030405060708^EUI-64|182777000^monitoring of patient^' +
        'SNOMED-CT|||{T}+0500',
      'OBX|1|CWE|68220^MDC_TIME_SYNC_PROTOCOL^MDC|0.0.0.1|532224^MDC_TIME_SYNC_NONE^MDC||||||R',
      'OBX|2||528391^MDC_DEV_SPEC_PROFILE_BP^MDC|1|||||||X|||||||00000000000000A1^EUI-64',
      'OBX|3||150020^MDC_PRESS_BLD_NONINV^MDC|1.0.1|||||||X|||{T}+0500',
      `OBX|4|NM|150021^MDC_PRESS_BLD_NONINV_SYS^MDC|1.0.1.1|124|${mmHg}|||||R`,
      `OBX|5|NM|150022^MDC_PRESS_BLD_NONINV_DIA^MDC|1.0.1.2|78|${mmHg}|||||R`,
      `OBX|6|NM|150023^MDC_PRESS_BLD_NONINV_MEAN^MDC|1.0.1.3|93|${mmHg}|||||R`,
    ],
    patient: ['700101', 'Quill', 'Iris', '1971-04-05'],
    aheadMinutes: 300,
    answer: 'AA',
    kinds: { '150021': 'systolic', '150022': 'diastolic' },
  },
  {
    name: 'IHE PCD-01 of a gateway, units of UCUM',
    source: 'Sample message of the IHE PCD test tool of NIST (ACME_Gateway), as public code quotes it',
    lines: [
      'MSH|^~\\&|MADE_UP_Gateway^080019FFFE000002^EUI-64|MADE UP Healthcare|||{T}+0000||ORU^R01^ORU_R01|{ID}|P|2.6' +
        `|||AL|NE||UNICODE UTF-8|||PCD_DEC_001^${profile}`,
      'PID|||HO700102^^^NIST^PI||Moor^Eve^^^^^L|Moor^^^^^^L|19610101|F|||1 Nowhere^^Nowhere^AZ^85000^^M',
      'PV1||I|HO Surgery^OR^1|',
      'OBR|1|{ID}^MADE_UP_Gateway^080019FFFE000002^EUI-64|{ID}^MADE_UP_Gateway^080019FFFE000002^EUI-64|' +
        '182777000^monitoring of patient^SCT|||{T}+0000',
      'OBX|1||69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC|1.0.0.0|||||||X',
      'OBX|2||70686^MDC_DEV_PRESS_BLD_NONINV_VMD^MDC|1.1.0.0|||||||X',
      'OBX|3||70687^MDC_DEV_PRESS_BLD_NONINV_CHAN^MDC|1.1.1.0|||||||X|||{T}+0000',
      'OBX|4|NM|150021^MDC_PRESS_BLD_NONINV_SYS^MDC|1.1.1.1|118|mm[Hg]^mm[Hg]^UCUM|||||R|||{T}+0000||||A2^GATE',
      'OBX|5|NM|150022^MDC_PRESS_BLD_NONINV_DIA^MDC|1.1.1.2|74|mm[Hg]^mm[Hg]^UCUM|||||R|||{T}+0000||||A2^GATE',
    ],
    patient: ['HO700102', 'Moor', 'Eve', '1961-01-01'],
    aheadMinutes: 0,
    answer: 'CA',
    kinds: { '150021': 'systolic', '150022': 'diastolic' },
  },
  {
    name: 'Philips IntelliVue Information Center',
    source:
      'Philips, IntelliVue Information Center System Release N, HL7 Programmer’s Reference Guide, 4535 642 64661 ' +
      '(2011), and Parameter Data Interface Programmer’s Guide, 4535 641 03281 (2009); its sample in public code',
    lines: [
      'MSH|^~\\&|||||||ORU^R01|HP{ID}|P|2.3||||||8859/1',
      'PID|||MRN700103||Weiß^Jörg||19480621|M',
      'PV1||I|^^Bay3&3&1',
      'OBR|||||||{T}',
      'OBX||NM|0002-4bb8^SpO2^MDIL|0|95|0004-0220^%^MDIL|||||F',
      'OBX||NM|0002-5000^Resp^MDIL|0|15|0004-0ae0^rpm^MDIL|||||F',
      'OBX||NM|0002-4182^HR^MDIL|0|62|0004-0aa0^bpm^MDIL|||||F',
      'OBX||NM|0002-4a15^ABPs^MDIL|0|121|0004-0f20^mmHg^MDIL|||||F',
      'OBX||NM|0002-4a16^ABPd^MDIL|0|71|0004-0f20^mmHg^MDIL|||||F',
    ],
    patient: ['MRN700103', 'Weiss', 'Joerg', '1948-06-21'],
    aheadMinutes: siteAhead,
    encoding: 'latin1',
    answer: 'AA',
    kinds: { '0002-4bb8': 'spo2', '0002-5000': 'respiratoryRate', '0002-4182': 'heartRate' },
    mapped: ['0002-5000'],
  },
  {
    name: 'Philips PIC iX, PCD-01',
    source: 'HL7, FHIR Point-of-Care Device guide (uv-pocd), page "mappingv2", example of an IntelliVue MX500',
    lines: [
      'MSH|^~\\&|MadeUpApplication|MadeUpFacility|Receiver|Site|{T}.000-0400||ORU^R01^ORU_R01|HP{ID}|P|2.6|||AL|NE|' +
        `|8859/1|EN^English^ISO639||IHE_PCD_001^${profile}`,
      'PID|1||700104^^^Philips^MR~81^^^Philips^VN ||Farrow^Tess^""^^^^L||19710108|U',
      'PV1|2|I|My Unit^^Bed1^Institution||||||||||||||||23456',
      'OBR|3||0009fb0000000001^^^EUI-64|69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC|||{T}.000-0400',
      'OBX|4||69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC|1.0.0.0|||||||X|||||||made-up-IntelliVue MX500 - 0',
      'OBX|5||70666^MDC_DEV_ECG_RESP_VMD^MDC|1.2.0.0|||||||X|||||||XW00000001',
      'OBX|6||70739^MDC_DEV_CARD_RATE_CHAN^MDC|1.2.1.0|||||||X',
      `OBX|7|NM|147842^MDC_ECG_CARD_BEAT_RATE^MDC|1.2.1.1|64|${beats}|50-120||||F`,
      'OBX|8|ST|184327^MDC_ECG_STAT_RHY^MDC|1.2.4.20|MDC_ECG_PACED_RHY||||||F',
    ],
    patient: ['700104', 'Farrow', 'Tess', '1971-01-08'],
    aheadMinutes: -240,
    answer: 'CA',
    kinds: { '147842': 'heartRate' },
  },
  {
    name: 'Philips Efficia CM',
    source: 'Philips, Efficia CM Series, Data Export Guide, pages 2-9 to 2-12 and 3-16 to 3-18',
    lines: [
      'MSH|^~\\&|^EfficiaCM||||{T}||ORU^R01^ORU_R01|CN{ID}|P|2.4|||||||||2.16.840.1.113883.9.2.1',
      'PID|||700105||MARSH^OLGA^B||19910911|F',
      'PV1|||^^|||||||||||||||A|',
      'ORC|NW|||||||||||||||||MONITOR7',
      'OBR||||MONITOR|||{T}|||OPERATOR12',
      'OBX||NM|0002-4bb8^SpO2^MDIL||98|0004-0220^%^MDIL|||||F',
      'OBX||NM|0002-4a05^NBPs^MDIL||122|0004-0f20^mmHg^MDIL|||||F|||{T-30}',
      'OBX||NM|0002-4a06^NBPd^MDIL||85|0004-0f20^mmHg^MDIL|||||F|||{T-30}',
      'OBX||NM|0002-4a07^NBPm^MDIL||97|0004-0f20^mmHg^MDIL|||||F|||{T-30}',
      'OBX||NM|0002-480a^Pulse^MDIL||84|0004-0aa0^bpm^MDIL|||||F',
      'OBX||NM|0002-4182^HR^MDIL|||0004-0aa0^bpm^MDIL|||||X',
    ],
    patient: ['700105', 'Marsh', 'Olga', '1991-09-11'],
    aheadMinutes: siteAhead,
    answer: 'AA',
    kinds: {
      ...{ '0002-4bb8': 'spo2', '0002-4a05': 'systolic', '0002-4a06': 'diastolic' },
      ...{ '0002-480a': 'pulseRate', '0002-4182': 'heartRate' },
    },
    mapped: ['0002-480a'],
  },
  {
    name: 'Philips SureSigns VS',
    source: 'Philips, SureSigns VS2, Data Export Guide, release A.01, 4535 641 68401 (2009); a message in public code',
    lines: [
      'MSH|^~\\&|^SureSignsVS||||{T}||ORU^R01^ORU_R01|US{ID}|P|2.4|||||||||2.16.840.1.113883.9.2.1',
      'PID|||PATID700106^5^M11||PENN^RALPH^A^III||19610615|M-||C|1 MADE UP STREET^^NOWHERE^NC^27000|GL|(000)000-0000|' +
        '(000)000-0001||S||ACCT700106^2^M10|000000000|9-00000^NC',
      'PV1|||^^|||||||||||||||A|',
      'ORC|NW|||||||||||||||||US00000001',
      'OBR||||SPOTCHECK|||{T}|||',
      'OBX||NM|0002-4bb8^SpO2^MDIL||99|0004-0220^%^MDIL|||||F',
      'OBX||NM|0002-4a05^NBPs^MDIL||133|0004-0f20^mmHg^MDIL|||||F',
      'OBX||NM|0002-4a06^NBPd^MDIL||69|0004-0f20^mmHg^MDIL|||||F',
    ],
    patient: ['PATID700106', 'Penn III', 'Ralph', '1961-06-15'],
    aheadMinutes: siteAhead,
    answer: 'AA',
    kinds: { '0002-4bb8': 'spo2', '0002-4a05': 'systolic', '0002-4a06': 'diastolic' },
  },
  {
    name: 'GE B40, B105 and B125',
    source: 'GE Healthcare, B40/B20 Patient Monitor, HL7 Reference Manual, 2062665-001 G (2014), pages 15 to 24',
    lines: [
      'MSH|^~\\&|VSP^080019FFFE000007^EUI-64|GE Healthcare|||{T}||ORU^R01^ORU_R01|{ID}|P|2.6|||NE|AL||UNICODE UTF-8' +
        `|||PCD_DEC_001^${profile}`,
      'PID|||700107^^^PID^MR||Hale^Noor^^^^^L|||',
      'PV1||R|SURGERY^^V2',
      'OBR|1|{ID}^VSP^080019FFFE000007^EUI-64|{ID}^VSP^080019FFFE000007^EUI-64|182777000^monitoring of patient^SCT' +
        '|||{T}',
      'OBX|1||69965^MDC_DEV_MON_PHYSIO_MULTI_PARAM_MDS^MDC|1.0.0.0|||||||X',
      'OBX|2||69798^MDC_DEV_ECG_VMD^MDC|1.5.0.0|||||||X',
      `OBX|3|NM|147842^MDC_ECG_HEART_RATE^MDC|1.5.1.1|80|${beats}|||||R|||||||080019FFFE000007^B40_GE`,
      `OBX|4|NM|148066^MDC_ECG_V_P_C_RATE^MDC|1.5.1.2|0|${beats}|||||R|||||||080019FFFE000007^B40_GE`,
      `OBX|5|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.22.1.2|97|${percent}|||||R|||||||080019FFFE000007^B40_GE`,
      'OBX|6||70666^MDC_DEV_ECG_RESP_VMD^MDC|1.6.0.0|||||||X',
      `OBX|7|NM|151562^MDC_RESP_RATE^MDC|1.6.1.1|17|${breaths}|||||R|||||||080019FFFE000007^B40_GE`,
      'OBX|8||69902^MDC_DEV_METER_TEMP_VMD^MDC|1.26.0.0|||||||X',
      `OBX|9|NM|150344^MDC_TEMP^MDC|1.26.1.1|37.1|${celsius}|||||R|||||||080019FFFE000007^B40_GE`,
      `OBX|10|NM|150344^MDC_TEMP^MDC|1.26.1.2|36.5|${celsius}|||||R|||||||080019FFFE000007^B40_GE`,
    ],
    patient: ['700107', 'Hale', 'Noor', '1980-02-29'],
    aheadMinutes: siteAhead,
    answer: 'AA',
    // The first probe is the core, the second one the skin.
    choices: { coreTemperatures: ['1.26.1.1'] },
    kinds: {
      ...{ '147842': 'heartRate', '150456': 'spo2', '151562': 'respiratoryRate' },
      '150344 1.26.1.1': 'temperature',
    },
  },
  {
    name: 'Mindray VS 900',
    source: 'A message in public code; its profile is IHE_PCD_001',
    lines: [
      'MSH|^~\\&|MINDRAY_VS900^00A0370000000008^EUI-64||||{T}||ORU^R01^ORU_R01|{ID}|P|2.6|||AL|NE||UNICODE UTF-8' +
        `|||IHE_PCD_001^${profile}`,
      'PID|||700108^^^Hospital^PI||ÅRDEN^BO^^^^^L||19891023|M',
      'PV1||I|INTER^^1^1|||||||||||||||||||||||||||||||||||||||||20260501',
      'OBR|1|{ID}^MINDRAY_VS900^00A0370000000008^EUI-64|{ID}^MINDRAY_VS900^00A0370000000008^EUI-64|182777000' +
        '^monitoring of patient^SCT|||{T}',
      `OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.3.1.150456|96|${percent}|||||R|||{T}||||00A0370000000008^^` +
        '00A0370000000008^EUI-64',
      `OBX|2|NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC|1.3.1.149530|82|${beats}|||||R|||{T}`,
      `OBX|3|NM|150488^MDC_BLD_PERF_INDEX^MDC|1.3.1.150488|3.20|${percent}|||||R|||{T}`,
      `OBX|4|NM|150301^MDC_PRESS_CUFF_SYS^MDC|1.1.9.150301|136|${mmHg}|||||R|||{T-30}|||^APERIODIC`,
      `OBX|5|NM|150303^MDC_PRESS_CUFF_MEAN^MDC|1.1.9.150303|102|${mmHg}|||||R|||{T-30}|||^APERIODIC`,
      `OBX|6|NM|150302^MDC_PRESS_CUFF_DIA^MDC|1.1.9.150302|84|${mmHg}|||||R|||{T-30}|||^APERIODIC`,
    ],
    patient: ['700108', 'Aarden', 'Bo', '1989-10-23'],
    aheadMinutes: siteAhead,
    answer: 'CA',
    kinds: { '150456': 'spo2', '149530': 'pulseRate', '150488': 'perfusionIndex', ...cuff },
  },
  {
    name: 'Mindray BeneVision eGateway',
    source: 'A message in public code; its profile is IHE_PCD_001. The maker’s guide was not found',
    lines: [
      'MSH|^~\\&|MINDRAY_EGATEWAY^00A0370000000009^EUI-64|MINDRAY|||{T}.0000+0530||ORU^R01^ORU_R01|{ID}|P|2.6|||AL|NE' +
        `||UNICODE UTF-8|||IHE_PCD_001^${profile}`,
      'PID|||700109^^^Hospital^PI||Vale^Uma^^^^^L||19660930|F||unknownrace',
      'PV1||I|ICU^^5^MADE UP HOSPITAL^^^^^00-00-00-00-00-09',
      'OBR|1|{ID}^MINDRAY_EGATEWAY^00A0370000000009^EUI-64|{ID}^MINDRAY_EGATEWAY^00A0370000000009^EUI-64|182777000' +
        '^monitoring of patient^SCT|||{T}.0000+0530',
      `OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.3.1.150456|94|${percent}|||||R|||{T}.0000+0530||||000F140000000009` +
        '^MADE_UP^000F140000000009^EUI-64',
      `OBX|2|NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC|1.3.1.149530|65|${beats}|||||R|||{T}.0000+0530`,
      `OBX|3|NM|150488^MDC_BLD_PERF_INDEX^MDC|1.3.1.150488|1.76|${percent}|||||R|||{T}.0000+0530`,
      `OBX|4|NM|151658^MDC_PULS_OXIM_PLETH_RESP_RATE^MDC|1.3.1.151658|19|${breaths}|||||R|||{T}.0000+0530`,
      `OBX|5|NM|151578^MDC_TTHOR_RESP_RATE^MDC|1.7.1.151578|16|${breaths}|||||R|||{T}.0000+0530`,
      `OBX|6|NM|108^MNDRY_ECG_PAUSE_RATE^99MNDRY|1.7.2.108|0|${beats}|||||R|||{T}.0000+0530`,
      `OBX|7|NM|147842^MDC_ECG_HEART_RATE^MDC|1.7.4.147842|66|${beats}|||||R|||{T}.0000+0530`,
    ],
    patient: ['700109', 'Vale', 'Uma', '1966-09-30'],
    aheadMinutes: 330,
    answer: 'CA',
    kinds: {
      ...{ '150456': 'spo2', '149530': 'pulseRate', '150488': 'perfusionIndex' },
      ...{ '151578': 'respiratoryRate', '147842': 'heartRate' },
    },
  },
  {
    name: 'Comen NC series',
    source: 'Messages in public code, one of them captured from an NC5 (2026)',
    lines: [
      'MSH|^~\\&||KC000000010G|||{T}.0000+0800||ORU^R01|{T}.0000{ID}|P|2.6',
      'PID|||MRN700110||Lin^Wei||19800115|M||||||||||MRN700110',
      'PV1||I|^^&24|0|||99999',
      'OBR||||2^MON_SPOT_DATA^99COMEN|||{T}',
      `OBX||NM|150301^MDC_PRESS_CUFF_SYS^MDC|1.1.9.150301|120|${mmHg}|90^160||||F|||{T}+0800`,
      `OBX||NM|150303^MDC_PRESS_CUFF_MEAN^MDC|1.1.9.150303|90|${mmHg}|60^110||||F|||{T}+0800`,
      `OBX||NM|150302^MDC_PRESS_CUFF_DIA^MDC|1.1.9.150302|80|${mmHg}|50^90||||F|||{T}+0800`,
      `OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.3.1.150456|98|${percent}|85^100||||F|||{T}+0800`,
      `OBX||NM|149522^MDC_PULS_RATE^MDC|1.0.0.149522|60|${beats}|50^120||||F|||{T}+0800`,
      `OBX||NM|150344^MDC_TEMP^MDC|1.2.1.150344|37.20|${celsius}|36.0^39.0||||F|||{T}+0800`,
      'OBX||NM|2267^COMEN_ACVPU^99COMEN||Alert||||||F|||{T}+0800',
      'OBX||ST|2275^COMEN_HANDLER^99COMEN||||||||F|||{T}+0800',
      'OBX||NM|188740^MDC_LEN_BODY_ACTUAL^MDC|1.10.1.188740|0|263441^MDC_DIM_CENTI_M^MDC|||||F',
      'OBX||NM|188736^MDC_MASS_BODY_ACTUAL^MDC|1.10.1.188736|0|263875^MDC_DIM_KILO_G^MDC|||||F',
    ],
    patient: ['MRN700110', 'Lin', 'Wei', '1980-01-15'],
    aheadMinutes: 480,
    answer: 'AA',
    choices: { coreTemperatures: ['1.2.1.150344'] },
    kinds: { ...cuff, '150456': 'spo2', '149522': 'pulseRate', '150344 1.2.1.150344': 'temperature' },
    // The name is not that of the number in 11073-10101.
    mapped: ['149522'],
  },
  {
    name: 'Northern patient monitor',
    source: 'Messages in public code',
    lines: [
      'MSH|^~\\&|northern|patient monitor^|||{T}||ORU^R01^ORU_R01|{ID}|P|2.6|',
      'PID|||0700111||Stone^Max||00000000|M|',
      'PV1||I|^^',
      'OBR|1||||||{T}|',
      `OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.3.1.150456|96|${percent}|||||F||||`,
      `OBX|2|NM|149530^MDC_PULS_OXIM_PULS_RATE^MDC|1.3.1.149530|-100|${beats}|||||F||||`,
      `OBX|3|NM|150344^MDC_TEMP^MDC|1.2.1.150344|36.9|${celsius}|||||F||||`,
      `OBX|4|NM|150344^MDC_TEMP^MDC|1.2.2.150344|384.5|${celsius}|||||F||||`,
      `OBX|5|NM|150301^MDC_PRESS_CUFF_SYS^MDC|1.1.9.150301|142|${mmHg}|||||F||APERIODIC|{T-30}|`,
      `OBX|6|NM|150302^MDC_PRESS_CUFF_DIA^MDC|1.1.9.150302|91|${mmHg}|||||F||APERIODIC|{T-30}|`,
    ],
    patient: ['700111', 'Stone', 'Max', '1959-12-31'],
    aheadMinutes: siteAhead,
    answer: 'AA',
    choices: { coreTemperatures: ['1.2.1.150344'] },
    kinds: { '150456': 'spo2', '149530': 'pulseRate', '150344 1.2.1.150344': 'temperature', ...cuff },
  },
  {
    name: 'Nihon Kohden CNS-6201, BSM-3000 and BSM-6000',
    source:
      'Nihon Kohden, Protocol Specifications of CNS-6201, BSM-3000 and BSM-6000, 0614-905894C (2016); messages in ' +
      'public code',
    lines: [
      'MSH|^~\\&|NIHON KOHDEN|NIHON KOHDEN|CLIENT APP|CLIENT FACILITY|{T}||ORU^R01^ORU_R01|{ID}|P|2.4|||NE|AL||' +
        'ASCII||ASCII',
      'PID|||700112||SATO^KEN^^^^^L^A||19550312|M',
      'PV1||I|^^BED-001^10.0.0.12:1',
      'ORC|RE',
      'OBR|1|||VITAL|||{T}||||||||||||||||||A',
      'OBX|1|NM|001000^VITAL HR|1|71|bpm|||||F|||{T}|||',
      'OBX|2|NM|007001^VITAL PR(spo2)|1|72|/min|||||F|||{T}|||',
      'OBX|3|NM|007000^VITAL SpO2|1|97|%|||||F|||{T}|||',
      'OBR|2|||NIBP|||{T-30}||||||||||||||||||A',
      'OBX|1|NM|009000^NIBP SYS|1|131|mmHg|||||F|||{T-30}|||',
      'OBX|2|NM|009001^NIBP DIAS|1|79|mmHg|||||F|||{T-30}|||',
      'OBX|3|NM|009002^NIBP MEAN|1|96|mmHg|||||F|||{T-30}|||',
    ],
    patient: ['700112', 'Sato', 'Ken', '1955-03-12'],
    aheadMinutes: siteAhead,
    answer: 'AA',
    kinds: {
      ...{ '001000': 'heartRate', '007001': 'pulseRate', '007000': 'spo2' },
      ...{ '009000': 'systolic', '009001': 'diastolic' },
    },
    mapped: ['001000', '007001', '007000', '009000', '009001'],
  },
  {
    name: 'XH80X (maker not named)',
    source: 'The demonstration data of its protocol, as public code quotes them',
    lines: [
      'MSH|^~\\&|XH80X^00A0370000000013^EUI-64||||{T}||ORU^R01^ORU_R01|{ID}|P|2.4|||AL|NE||UNICODE UTF-8',
      'PID|||700113^^^^PI||Bird^Lea^^^^^L|||||',
      'PV1||I|^^^',
      'OBR|1|{ID}^XH80X^00A0370000000013^EUI-64|{ID}^XH80X^00A0370000000013^EUI-64|182777000' +
        '^monitoring of patient^SCT|||{T}',
      `OBX|1|NM|150301^MDC_PRESS_CUFF_SYS^MDC|1.1.9.150301|118|${mmHg}||||||||{T-30}`,
      `OBX|2|NM|150302^MDC_PRESS_CUFF_DIA^MDC|1.1.9.150302|73|${mmHg}||||||||{T-30}`,
      `OBX|5|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.3.1.150456|97|${percent}||||||||{T}`,
      `OBX|9|NM|147842^MDC_ECG_HEART_RATE^MDC|1.7.4.147842|-999|${beats}||||||||{T}`,
    ],
    patient: ['700113', 'Bird', 'Lea', '1993-08-08'],
    aheadMinutes: siteAhead,
    answer: 'CA',
    kinds: { ...cuff, '150456': 'spo2', '147842': 'heartRate' },
  },
];

/**
 * Those whose values no answer brings in.
 *
 * Not found, in public manuals or messages: Dräger Infinity Gateway (the Protocol Handbook VF9.n exists, its contents
 * were not to be had), Masimo Patient SafetyNet and Iris Gateway (Interface Specifications 1.0 of 2013, the same), GE
 * CARESCAPE and Aware Gateway (2018527-021, the same), Welch Allyn Connex CS (80018284 F, the same), Iradimed 3880
 * (LB024-A, the same), Spacelabs, Capsule, Bernoulli, iSirona, Medtronic Vital Sync, Nonin, Philips IntelliBridge. Of
 * Edan only the codes (system EHC), of Smiths only messages of pumps.
 */
const refused: readonly (Omit<Shape, 'answer'> & { why: string })[] = [
  {
    name: 'Welch Allyn Connectivity Server',
    source: 'Welch Allyn, Connectivity Server, Programmer’s guide, 80018556 A (2013), page 20; PID and OBR are ours',
    why: 'its numbers come as texts (OBX-2 is ST), and a text is no number, whatever its digits',
    lines: [
      'MSH|^~\\&|WACS|ACUITY|||{T}.000-0800||ORU^R01|{ID}|P|2.4',
      'PID|1||700151^^^^MR||Gray^Pat||19520202|M',
      'OBR|1||||||{T}.000-0800',
      'OBX|1|ST|Heart Rate^Heart Rate^WAP||80|^BPM||||||||{T}.000-0800',
    ],
    patient: ['700151', 'Gray', 'Pat', '1952-02-02'],
    aheadMinutes: -480,
    kinds: { 'Heart Rate': 'heartRate' },
    mapped: ['Heart Rate'],
  },
  {
    name: 'Mindray PDS gateway',
    source: 'Mindray, Patient Data Share Protocol, Programmer’s Guide, 0010-20-43061-2, revision 10.0 (2013)',
    why: 'who the patient is comes once (103), and values (204) without patient, bed and time, to a client that asks',
    lines: ['MSH|^~\\&|||||||ORU^R01|204|P|2.3.1|', 'OBX||NM|160^SpO2|2103|9{ID}||||||F'],
    patient: ['700152', 'Reed', 'Una', '1961-11-11'],
    aheadMinutes: siteAhead,
    choices: { bedRoute: true },
    kinds: { '160': 'spo2' },
  },
];

/** An OBX as another reader reads it, with the times that may be its own. */
interface SentLine {
  code: string;
  subId: string;
  value: string;
  time: string;
  orderTime: string;
  messageTime: string;
}

function readByMedplum(text: string): SentLine[] {
  const message = Hl7Message.parse(text);
  let orderTime = '';
  return message.segments.flatMap((segment) => {
    const at = (field: number): string => segment.getComponent(field, 1);
    orderTime = segment.name === 'OBR' ? at(7) : orderTime;
    const messageTime = message.header.getComponent(7, 1);
    return segment.name === 'OBX'
      ? [{ code: at(3), subId: at(4), value: at(5), time: at(14), orderTime, messageTime }]
      : [];
  });
}

function readByClient(text: string): SentLine[] {
  const message = new Message({ text });
  let orderTime = '';
  return message.toArray().flatMap((segment) => {
    const at = (field: number): string => segment.get(`${field}.1`).toString();
    orderTime = segment.name === 'OBR' ? at(7) : orderTime;
    const messageTime = message.get('MSH.7').toString();
    return segment.name === 'OBX'
      ? [{ code: at(3), subId: at(4), value: at(5), time: at(14), orderTime, messageTime }]
      : [];
  });
}

/** Returns when a line was measured: the first time that is said, in its zone, that of MSH-7, or else the site's. */
function timeOf({ time, orderTime, messageTime }: SentLine): string {
  const said = [time, orderTime, messageTime].find((text) => text !== '') ?? '';
  const [zone = '+0200'] = [said, messageTime].flatMap((text) => /[+-]\d{4}$/.exec(text) ?? []);
  const [century = '', year = '', month = '', day = '', ...clock] = said.slice(0, 14).match(/\d\d/g) ?? [];
  const offset = zone.replace(/(\d\d)$/, ':$1');
  return toInstant(Date.parse(`${century}${year}-${month}-${day}T${clock.join(':')}${offset}`));
}

describe('the messages of a maker', () => {
  const senders = '/api/v2/admin/senders';
  const mappings = '/api/v2/admin/mappings';

  let test: TestServer;
  let site: number;
  let administrator: Caller;
  let technician: Caller;
  let physician: Caller;

  beforeEach(async () => {
    test = await sharedTestServer('sqlite', { HL7_PORT: '0' });
    site = await test.addSite('A ward', 'Europe/Berlin');
    administrator = await test.signIn(site, 'administrator', true);
    technician = await test.signIn(site, 'technician');
    physician = await test.signIn(site, 'physician');
  });

  /** Calls, and resolves with the response if the call is done. */
  const call = async (by: Caller, method: 'GET' | 'POST', url: string, body?: object) => {
    const response = await by.call(method, url, body);
    expect([url, response.statusCode < 300 ? '' : response.body]).toEqual([url, '']);
    return response;
  };

  /** Resolves with the good values of the last minute in the chart of a patient. */
  const charted = async (patientId: number): Promise<string[]> => {
    const window = `from=${toInstant(test.now() - 50_000)}&to=${toInstant(test.now() + 1_000)}`;
    const url = `/api/v2/patients/${patientId}/vitals?kind=${vitalKinds.join(',')}&${window}`;
    const { series } = (await call(physician, 'GET', url)).json<VitalsResponse>();
    return series
      .flatMap(({ kind, points }) =>
        rawPoint
          .array()
          .parse(points)
          .map((point) => ({ kind, ...point })),
      )
      .flatMap(({ kind, value, takenAt, quality }) => (quality === 'good' ? [`${kind} ${value} ${takenAt}`] : []))
      .sort();
  };

  /** Sets a gateway up as people do, and resolves with its last message, the answer, and the chart after it. */
  const connect = async (shape: Omit<Shape, 'answer'>) => {
    const { lines, patient, aheadMinutes, encoding, choices, kinds, mapped = [] } = shape;
    const [mrn, familyName, givenName, dateOfBirth] = patient;
    const patientId = await test.addPatient(site, { mrn, familyName, givenName, dateOfBirth });
    const address = gatewayAddress();
    let sent = 0;
    const send = async () => {
      test.advance(60_000);
      await test.server.storage.check();
      sent += 1;
      const digits = (ago: string): string =>
        toInstant(test.now() + aheadMinutes * 60_000 - Number(ago) * 1_000).replaceAll(/[-:T]|\..*/g, '');
      const text = lines
        .join('\r')
        .replaceAll(/\{T(?:-(\d+))?\}/g, (_, ago = '0') => digits(String(ago)))
        .replaceAll('{ID}', String(sent));
      const gateway = await connectGateway(test, address);
      gateway.write(Buffer.from(frame(text), encoding));
      const { code } = await gateway.next();
      gateway.socket.destroy();
      return { text, code };
    };

    expect(['AR', 'CE']).toContain((await send()).code);
    const { unknown } = (await call(administrator, 'GET', senders)).json<SendersResponse>();
    const listed = unknown.find((one) => one.address === address);
    const accepted = { unknownId: listed?.id ?? 0, name: 'A gateway', address, isTrial: false };
    const { id } = (await call(administrator, 'POST', senders, accepted)).json<ListedSender>();
    await send();
    await expect(charted(patientId)).resolves.toEqual([]);

    const [asked] = (await call(technician, 'GET', `${senders}/settings`)).json<SenderSettingsResponse>().items;
    const wanted = { basedOn: asked?.version, settings: { ...asked?.suggested, ...choices } };
    const proposed = await call(technician, 'POST', `${senders}/${id}/settings`, wanted);
    const [{ proposal }] = proposed.json<{ items: [{ proposal: { id: number } }] }>().items;
    await call(physician, 'POST', `${senders}/settings/${proposal.id}/confirm`);
    await send();

    for (const name of mapped) {
      const listedAs = (response: { json: <Body>() => Body }) =>
        response.json<MappingsResponse>().codes.find((one) => one.code.id === name);
      const code = listedAs(await call(technician, 'GET', mappings))?.code;
      const meaning = { senderId: id, code, kind: kinds[name], isUnitless: false };
      const mapping = listedAs(await call(technician, 'POST', `${mappings}/codes`, meaning))?.mapping;
      await call(physician, 'POST', `${mappings}/proposals/${mapping?.id}/confirm`);
    }
    // The age of the first value of a source is not known, and its quality questionable.
    await send();
    const { text, code } = await send();
    return { text, code, chart: await charted(patientId) };
  };

  it.each(refused)('are no values where $why: $name', async (shape) => {
    const { chart } = await connect(shape);
    expect(chart).toEqual([]);
  });

  it.each(shapes)('are charted by answers alone, as two other readers read them: $name', async (shape) => {
    const { text, code, chart } = await connect(shape);
    const lines = readByMedplum(text);
    expect(readByClient(text)).toEqual(lines);
    const expected = lines.flatMap((line) => {
      const kind = shape.kinds[line.code] ?? shape.kinds[`${line.code} ${line.subId}`];
      const isNumber = line.value !== '' && Number(line.value) >= 0;
      return kind === undefined || !isNumber ? [] : [`${kind} ${Number(line.value)} ${timeOf(line)}`];
    });
    expect(chart).toEqual(expected.sort());
    expect([code, new Set(expected).size > 0]).toEqual([shape.answer, true]);
  });
});
