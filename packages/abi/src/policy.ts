import { CortexError, withContext } from './errors.ts';
import { isObjectName } from './names.ts';
import { quoted } from './quote.ts';

export type PolicyClass = 'tool' | 'model' | 'shared' | 'session' | 'mount' | 'agent' | 'network';

export interface PolicyRule {
  subject: string;
  class: PolicyClass;
  object: string;
  permission: string;
}

/** A parsed policy file. What no rule allows is denied. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly granted: ReadonlySet<string>;
}

/** The permissions that each class has (docs/policy.md). */
export const PERMISSIONS: Readonly<Record<PolicyClass, readonly string[]>> = {
  tool: ['execute'],
  model: ['use'],
  shared: ['read', 'write'],
  session: ['read', 'write', 'resume'],
  mount: ['read', 'write'],
  agent: ['create', 'start', 'stop', 'read', 'write'],
  network: ['connect'],
};

/** The policy that grants nothing. */
export const EMPTY_POLICY: Policy = policyOf([]);

/**
 * Reads a whole policy file (docs/policy.md). One bad line makes it unusable: EINVAL with the line's
 * number, and nothing is granted.
 */
export function parsePolicy(text: string): Policy {
  const rules: PolicyRule[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    rules.push(parseRule(line, index + 1));
  }
  return policyOf(rules);
}

export function formatPolicy(policy: Policy): string {
  return policy.rules.map((rule) => `${formatRule(rule)}\n`).join('');
}

export function policyOf(rules: readonly PolicyRule[]): Policy {
  return { rules, granted: new Set(rules.map(formatRule)) };
}

/** The rule as it stands in a policy file: `allow SUBJECT CLASS:OBJECT PERMISSION`. */
export function formatRule(rule: PolicyRule): string {
  return `allow ${rule.subject} ${rule.class}:${rule.object} ${rule.permission}`;
}

/** Whether a rule says exactly this. There are no patterns, priorities or denials. */
export function allows(
  policy: Policy,
  subject: string,
  objectClass: PolicyClass,
  object: string,
  permission: string,
): boolean {
  return policy.granted.has(formatRule({ subject, class: objectClass, object, permission }));
}

/** Reads `CLASS:OBJECT PERMISSION`, the part of a rule that names what is asked for. Throws EINVAL. */
export function parseAccess(target: string, permission: string): Omit<PolicyRule, 'subject'> {
  const split = target.indexOf(':');
  const objectClass = classOf(target.slice(0, Math.max(split, 0)));
  if (objectClass === undefined) throw refusal(`unknown class in ${quoted(target)}`);
  const object = target.slice(split + 1);
  if (!isObjectOf(objectClass, object)) throw refusal(`bad ${objectClass} name ${quoted(object)}`);
  if (!PERMISSIONS[objectClass].includes(permission)) {
    throw refusal(
      `${objectClass} has no permission ${quoted(permission)}, only ${PERMISSIONS[objectClass].join(', ')}`,
    );
  }
  return { class: objectClass, object, permission };
}

function parseRule(line: string, number: number): PolicyRule {
  const [verb, subject, target, permission, ...rest] = line.split(' ');
  try {
    if (
      verb !== 'allow' ||
      subject === undefined ||
      target === undefined ||
      permission === undefined ||
      rest.length > 0
    ) {
      throw refusal(`must be "allow SUBJECT CLASS:OBJECT PERMISSION", got ${quoted(line)}`);
    }
    if (!isObjectName(subject)) throw refusal(`bad subject ${quoted(subject)}`);
    return { subject, ...parseAccess(target, permission) };
  } catch (err) {
    throw err instanceof CortexError ? withContext(err, { line: number }) : err;
  }
}

function classOf(text: string): PolicyClass | undefined {
  return Object.hasOwn(PERMISSIONS, text) ? (text as PolicyClass) : undefined;
}

function isObjectOf(objectClass: PolicyClass, object: string): boolean {
  if (objectClass === 'network') return object === 'default';
  const parts = objectClass === 'model' ? object.split('/') : [object];
  return parts.length <= 2 && parts.every(isObjectName);
}

function refusal(why: string): CortexError {
  return new CortexError('EINVAL', why, { layer: 'control' });
}
