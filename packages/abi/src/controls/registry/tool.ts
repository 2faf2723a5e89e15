import { objectStatus } from '../object-status.ts';
import { policy } from '../policy.ts';
import { text } from '../text.ts';
import { cap } from '../tool/cap.ts';
import { config } from '../tool/config.ts';
import { description } from '../tool/description.ts';
import { invokeStrategy } from '../tool/invoke-strategy.ts';
import { mcp } from '../tool/mcp.ts';
import { name } from '../tool/name.ts';
import { schema } from '../tool/schema.ts';
import { entry, projection } from './entry.ts';

/** The controls of `tool/NAME.d` (docs/controls.md). */
export const toolControls = {
  name: entry(name, 'nobody', 'optional'),
  description: entry(description, 'owner', 'required'),
  schema: entry(schema, 'owner', 'required'),
  cap: entry(cap, 'owner', 'required'),
  policy: entry(policy, 'owner', 'required'),
  mcp: entry(mcp, 'owner', 'optional'),
  'invoke.strategy': entry(invokeStrategy, 'owner', 'optional'),
  config: entry(config, 'owner', 'optional'),
  status: projection(objectStatus),
  log: projection(text),
};
