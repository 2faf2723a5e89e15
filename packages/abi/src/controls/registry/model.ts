import { cap } from '../model/cap.ts';
import { defaults } from '../model/default.ts';
import { driver } from '../model/driver.ts';
import { effort } from '../model/effort.ts';
import { fallback } from '../model/fallback.ts';
import { id } from '../model/id.ts';
import { limit } from '../model/limit.ts';
import { session } from '../model/session.ts';
import { objectStatus } from '../object-status.ts';
import { text } from '../text.ts';
import { entry, projection } from './entry.ts';

/** The controls of `model/PROVIDER/MODEL.d` (docs/controls.md). */
export const modelControls = {
  id: entry(id, 'owner', 'required'),
  driver: entry(driver, 'owner', 'required'),
  cap: entry(cap, 'owner', 'required'),
  effort: entry(effort, 'owner', 'optional'),
  default: entry(defaults, 'owner', 'optional'),
  fallback: entry(fallback, 'owner', 'optional'),
  limit: { ...projection(limit), dynamic: false },
  session: entry(session, 'owner', 'optional'),
  status: projection(objectStatus),
  log: projection(text),
};
