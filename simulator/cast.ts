import type { NewPatient } from '../lib/patients/schema';
import type { StoryName } from './stories';

/** A patient of the demo ward and their story. All patients are invented. */
export interface Role {
  /** Counts the patients of the ward from 1. */
  number: number;
  patient: NewPatient;
  story: StoryName;
  /** At rest: SpO2 in %, heart rate per minute. */
  spo2: number;
  heartRate: number;
  rate: 'heartRate' | 'pulseRate';
  oxygenFlow: number;
}

/** A device with its own token, and the patients whose values it sends. */
export interface GatewayPart {
  name: string;
  roles: readonly Role[];
}

type Who = [familyName: string, givenName: string, dateOfBirth: string, sex: NewPatient['sex']];
type Rest = Partial<Pick<Role, 'rate' | 'oxygenFlow'>> & { spo2: number; heartRate: number };

function role(
  number: number,
  [familyName, givenName, dateOfBirth, sex]: Who,
  location: NewPatient['location'],
  story: StoryName,
  rest: Rest,
): Role {
  return {
    number,
    patient: {
      mrn: `DEMO-${String(number).padStart(3, '0')}`,
      givenName,
      familyName,
      dateOfBirth,
      sex,
      location,
      profile: location === null ? 'home' : 'continuous',
      spo2Scale: story === 'copd' ? 2 : 1,
      isTrial: false,
    },
    story,
    rate: location === null ? 'pulseRate' : 'heartRate',
    oxygenFlow: 0,
    ...rest,
  };
}

const stepDown = (bed: number) => ({ unit: 'Step-down 2', bed: `S${bed}` });
const medical = (bed: number) => ({ unit: 'Medical 4', bed: `M${bed}` });
const finger = { rate: 'pulseRate' } as const;

/** The whole demo ward: 19 beds in two units behind four gateways, and five patients at home behind a hub. */
export const cast: readonly GatewayPart[] = [
  {
    name: 'Step-down gateway A',
    roles: [
      role(1, ['Abara', 'Chidi', '1958-02-11', 'male'], stepDown(1), 'steady', { spo2: 97, heartRate: 74 }),
      role(2, ['Bianchi', 'Rosa', '1949-07-30', 'female'], stepDown(2), 'slowDeterioration', {
        spo2: 96.5,
        heartRate: 82,
      }),
      role(3, ['Castellanos', 'Mateo', '1971-11-05', 'male'], stepDown(3), 'fastDesaturation', {
        spo2: 95.5,
        heartRate: 88,
      }),
      role(4, ['Dlamini', 'Thandi', '1966-04-18', 'female'], stepDown(4), 'artefact', {
        spo2: 96.5,
        heartRate: 79,
        ...finger,
      }),
      role(5, ['Eriksen', 'Solveig', '1942-09-23', 'female'], stepDown(5), 'steady', { spo2: 95.5, heartRate: 66 }),
    ],
  },
  {
    name: 'Step-down gateway B',
    roles: [
      role(6, ['Farrow', 'Winifred', '1938-12-02', 'female'], stepDown(6), 'steady', { spo2: 96, heartRate: 71 }),
      role(7, ['Grzybowska', 'Małgorzata', '1953-05-27', 'female'], stepDown(7), 'copd', {
        spo2: 89.2,
        heartRate: 92,
        oxygenFlow: 2,
      }),
      role(8, ['Haddad', 'Karim', '1960-08-14', 'male'], stepDown(8), 'sensorOff', { spo2: 97, heartRate: 77 }),
      role(9, ['Iqbal', 'Sana', '1975-01-09', 'female'], stepDown(9), 'sleepApnoea', { spo2: 95.5, heartRate: 68 }),
    ],
  },
  {
    name: 'Medical gateway A',
    roles: [
      role(10, ['Jónsdóttir', 'Katrín', '1981-06-21', 'female'], medical(1), 'steady', { spo2: 98, heartRate: 62 }),
      role(11, ['Kowalczyk', 'Piotr', '1947-03-16', 'male'], medical(2), 'steady', { spo2: 95, heartRate: 84 }),
      role(12, ['Lindqvist', 'Arvid', '1955-10-08', 'male'], medical(3), 'sleepApnoea', { spo2: 95, heartRate: 72 }),
      role(13, ['Mbeki', 'Nomsa', '1969-12-29', 'female'], medical(4), 'fastDesaturation', { spo2: 96, heartRate: 80 }),
      role(14, ['Nakamura', 'Haruto', '1944-02-03', 'male'], medical(5), 'copd', {
        spo2: 89.6,
        heartRate: 86,
        oxygenFlow: 2,
      }),
      role(15, ['Okonkwo', 'Ngozi', '1973-07-12', 'female'], medical(6), 'steady', {
        spo2: 97.5,
        heartRate: 78,
        ...finger,
      }),
      role(16, ['Petrov', 'Ilya', '1951-04-25', 'male'], medical(7), 'steady', { spo2: 96, heartRate: 69 }),
    ],
  },
  {
    name: 'Medical gateway B',
    roles: [
      role(17, ['Quispe', 'Lucía', '1964-09-17', 'female'], medical(8), 'silentGateway', { spo2: 97, heartRate: 75 }),
      role(18, ['Rahman', 'Yusuf', '1940-11-28', 'male'], medical(9), 'silentGateway', { spo2: 95, heartRate: 81 }),
      role(19, ['Schneider', 'Ute', '1957-01-31', 'female'], medical(10), 'silentGateway', { spo2: 96, heartRate: 70 }),
    ],
  },
  {
    name: 'Home hub',
    roles: [
      role(20, ['Tanaka', 'Aiko', '1962-05-06', 'female'], null, 'homeSpotChecks', { spo2: 96.5, heartRate: 72 }),
      role(21, ['Uzun', 'Deniz', '1978-08-19', 'other'], null, 'homeSpotChecks', { spo2: 97.5, heartRate: 76 }),
      role(22, ['Varga', 'László', '1950-10-13', 'male'], null, 'homeSpotChecks', { spo2: 93.5, heartRate: 88 }),
      role(23, ['Whitcombe', 'Harold', '1936-03-24', 'male'], null, 'homeSpotChecks', { spo2: 95.5, heartRate: 67 }),
      role(24, ['Yilmaz', 'Elif', '1968-12-07', 'female'], null, 'homeSpotChecks', { spo2: 96, heartRate: 80 }),
    ],
  },
];
