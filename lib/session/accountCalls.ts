import { z } from 'zod';
import type { Calls } from '../api/declaration';
import { anyone } from '../session/policy';
import {
  invitationResponse,
  invitationBody,
  registerBody,
  registrationSites,
  resetConfirmBody,
  resetRequestBody,
  setupBody,
  signUpBody,
  user,
} from './schema';

/** The account calls of people without a session, and the first user of an installation. */
export const accountCalls = {
  setup: { method: 'POST', path: '/api/v2/setup', status: 201, who: anyone, body: setupBody, response: user },
  signUp: { method: 'POST', path: '/api/v2/auth/sign-up', status: 201, who: anyone, body: signUpBody, response: user },
  readInvitation: {
    method: 'POST',
    path: '/api/v2/auth/invitation',
    status: 200,
    who: anyone,
    body: invitationBody,
    response: invitationResponse,
  },
  listRegistrationSites: {
    method: 'GET',
    path: '/api/v2/auth/register',
    status: 200,
    who: anyone,
    response: registrationSites,
  },
  register: {
    method: 'POST',
    path: '/api/v2/auth/register',
    status: 202,
    who: anyone,
    body: registerBody,
    response: z.null(),
  },
  requestReset: {
    method: 'POST',
    path: '/api/v2/auth/password-reset/request',
    status: 202,
    who: anyone,
    body: resetRequestBody,
    response: z.null(),
  },
  confirmReset: {
    method: 'POST',
    path: '/api/v2/auth/password-reset/confirm',
    status: 204,
    who: anyone,
    body: resetConfirmBody,
    response: z.null(),
  },
} as const satisfies Calls;
