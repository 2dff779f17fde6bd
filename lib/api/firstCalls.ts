import { presenceCalls } from '../alerts/presenceCalls';
import { chatCalls } from '../chat/calls';
import { demoCalls } from '../demo/calls';
import { patientCalls } from '../patients/calls';
import { profileCalls } from '../profile/calls';
import { accountCalls } from '../session/accountCalls';
import { sessionCalls } from '../session/calls';
import { vitalsCalls } from '../vitals/calls';
import { wallCalls } from '../wall/calls';

/** The calls that the first pages make, and those of devices. The browser loads their schemas before its first call. */
export const firstCalls = {
  ...sessionCalls,
  ...accountCalls,
  ...profileCalls,
  ...patientCalls,
  ...vitalsCalls,
  ...chatCalls,
  ...demoCalls,
  ...presenceCalls,
  ...wallCalls,
} as const;
