import { alertCalls } from '../alerts/calls';
import { followCalls } from '../follows/calls';
import { noteCalls } from '../notes/calls';
import { symptomCalls } from '../symptoms/calls';

/** The calls about alerts and what is new of patients. The browser loads their schemas with the first of them. */
export const clinicalCalls = {
  ...alertCalls,
  ...followCalls,
  ...noteCalls,
  ...symptomCalls,
} as const;
