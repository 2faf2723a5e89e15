import { abi } from '../abi.ts';
import { approval } from '../approval.ts';
import { cwd } from '../cwd.ts';
import { env } from '../env.ts';
import { gid } from '../gid.ts';
import { groups } from '../groups.ts';
import { iso } from '../iso.ts';
import { label } from '../label.ts';
import { life } from '../life.ts';
import { meta } from '../meta.ts';
import { model } from '../model.ts';
import { mount } from '../mount.ts';
import { owner } from '../owner.ts';
import { parent } from '../parent.ts';
import { path } from '../path.ts';
import { pid } from '../pid.ts';
import { policy } from '../policy.ts';
import { promptTemplate, system } from '../prompt.ts';
import { root } from '../root.ts';
import { status } from '../status.ts';
import { text } from '../text.ts';
import { tools } from '../tools.ts';
import { uid } from '../uid.ts';
import { window } from '../window.ts';
import { entry, projection } from './entry.ts';

/** The controls of `agent/NAME.d` (docs/controls.md). */
export const agentControls = {
  owner: entry(owner, 'root', 'required'),
  uid: entry(uid, 'root', 'required'),
  gid: entry(gid, 'root', 'required'),
  groups: entry(groups, 'root', 'required'),
  label: entry(label, 'owner', 'required'),
  iso: entry(iso, 'root', 'required'),
  parent: entry(parent, 'root', 'required'),
  life: entry(life, 'owner', 'required'),
  root: entry(root, 'owner', 'required'),
  cwd: entry(cwd, 'owner', 'required'),
  env: entry(env, 'owner', 'required'),
  path: entry(path, 'owner', 'required'),
  mount: entry(mount, 'owner', 'required'),
  model: entry(model, 'owner', 'required'),
  tools: entry(tools, 'owner', 'optional'),
  abi: entry(abi, 'owner', 'required'),
  approval: entry(approval, 'owner', 'optional'),
  window: entry(window, 'owner', 'optional'),
  policy: entry(policy, 'owner', 'required'),
  'system.md': entry(system, 'owner', 'optional'),
  'prompt.template.md': entry(promptTemplate, 'owner', 'optional'),
  'meta.json': entry(meta, 'owner', 'optional'),
  status: projection(status),
  pid: projection(pid),
  log: projection(text),
};
