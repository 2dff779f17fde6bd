import { z } from 'zod';
import { line } from '../line';

/** Why a user holds alerts back or moves limits, in their own words. */
export const reason = line(500).pipe(z.string().min(3, 'needs at least 3 characters'));
