import { z } from 'zod';
import { line } from '../line';

/** Why somebody holds alerts back or moves limits, in their words. */
export const reason = line(500).pipe(z.string().min(3, 'needs at least 3 characters'));
