/** What the model learns of a skill; the whole SKILL.md is read only when the skill is chosen. */
export interface SkillMetadata {
  readonly name: string;
  readonly description: string;
  /** Path of its SKILL.md as the agent sees it. */
  readonly path: string;
}

/** Most characters of skill metadata while the context window is unknown. */
export const UNKNOWN_WINDOW_SKILL_CHARS = 8000;

const SHORT_DESCRIPTION = 80;

/** Characters that skill metadata may take: 2 % of the window, rounded down. */
export function skillBudget(windowChars: number | undefined): number {
  return windowChars === undefined ? UNKNOWN_WINDOW_SKILL_CHARS : Math.floor(windowChars / 50);
}

/** `name` and `description` of a SKILL.md's front matter; the directory's name where it has none. */
export function readSkill(text: string, directory: string, path: string): SkillMetadata {
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  const field = (key: string) => new RegExp(`^${key}:[ \\t]*["']?(.*?)["']?[ \\t]*$`, 'm').exec(front)?.[1];
  return { name: field('name') || directory, description: field('description') ?? '', path };
}

/**
 * Skill metadata within `budget` characters: descriptions are shortened first, then skills are left out, with a
 * warning that says how many.
 */
export function renderSkills(skills: readonly SkillMetadata[], budget: number): string {
  if (skills.length === 0) return '';
  const full = skills.map((skill) => line(skill, skill.description));
  if (size(full) <= budget) return full.join('\n');
  const short = skills.map((skill) => line(skill, shorten(skill.description)));
  if (size(short) <= budget) return short.join('\n');
  for (let kept = short.length - 1; kept >= 0; kept--) {
    const warning = skillsLeftOut(short.length - kept, short.length);
    const lines = [...short.slice(0, kept), warning];
    if (size(lines) <= budget) return lines.join('\n');
  }
  return '';
}

/** The warning in the place of skills. */
export function skillsLeftOut(count: number, all = count): string {
  return `Warning: ${count} of ${all} skills were left out to fit the context window.`;
}

function line({ name, path }: SkillMetadata, description: string): string {
  return `- ${name}: ${description} (${path})`.replace(/\s+/g, ' ');
}

function shorten(description: string): string {
  return description.length <= SHORT_DESCRIPTION
    ? description
    : `${description.slice(0, SHORT_DESCRIPTION - 3)}...`;
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, text) => sum + text.length + 1, -1);
}
