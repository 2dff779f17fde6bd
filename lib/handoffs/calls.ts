import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { can } from '../session/policy';
import {
  actionDoneBody,
  giveBody,
  handoff,
  handoffChange,
  handoffResults,
  handoffsQuery,
  handoffsResponse,
  newHandoffs,
  ownHandoffs,
  patientHandoffs,
  receiveBody,
  returnBody,
  startedHandoffs,
  withdrawBody,
} from './schema';

/** Handoffs are given and received by those who write notes (clinical.md section 9). */
const write = { who: can('writeNotes'), status: 200, changes: { read: 'listHandoffs' } } as const;

/** From the draft, which the server fills with what it knows, to the receiver's read-back. */
export const handoffCalls = {
  listHandoffs: {
    method: 'GET',
    path: '/api/v2/handoffs',
    status: 200,
    who: can('readNotes'),
    query: handoffsQuery,
    response: handoffsResponse,
  },
  readOwnHandoffs: {
    method: 'GET',
    path: '/api/v2/handoffs/own',
    status: 200,
    who: can('readNotes'),
    description: 'The open actions of the user, and how many handoffs wait for them.',
    response: ownHandoffs,
  },
  readPatientHandoffs: {
    method: 'GET',
    path: '/api/v2/patients/:id/handoffs',
    status: 200,
    who: can('readNotes'),
    params: byId,
    response: patientHandoffs,
  },
  startHandoffs: {
    ...write,
    method: 'POST',
    path: '/api/v2/handoffs',
    description: 'Each patient with a result of its own. One that is written already is not started again.',
    body: newHandoffs,
    response: startedHandoffs,
  },
  saveHandoff: {
    method: 'PUT',
    path: '/api/v2/handoffs/:id',
    status: 200,
    who: can('writeNotes'),
    params: byId,
    body: handoffChange,
    response: handoff,
  },
  giveHandoffs: { ...write, method: 'POST', path: '/api/v2/handoffs/give', body: giveBody, response: handoffResults },
  receiveHandoffs: {
    ...write,
    method: 'POST',
    path: '/api/v2/handoffs/receive',
    description: 'The receiver becomes the patient’s nurse, and owner of the open alerts that the giver had.',
    body: receiveBody,
    response: handoffResults,
  },
  returnHandoff: {
    ...write,
    method: 'POST',
    path: '/api/v2/handoffs/:id/return',
    params: byId,
    body: returnBody,
    response: handoff,
  },
  withdrawHandoff: {
    ...write,
    method: 'POST',
    path: '/api/v2/handoffs/:id/withdraw',
    params: byId,
    body: withdrawBody,
    response: handoff,
  },
  finishHandoffAction: {
    ...write,
    method: 'POST',
    path: '/api/v2/handoffs/actions/:id/done',
    status: 204,
    params: byId,
    body: actionDoneBody,
    response: z.null(),
  },
} as const satisfies Calls;
