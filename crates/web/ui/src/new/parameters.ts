// Parameters in the form: sections, labels, ranges, and reading what was typed.
import type { Parameter } from '../lib/api';
import { grouped } from '../lib/words';

export interface Section {
  /** The parameters' keys without their last part; empty for the top of the file. */
  key: string;
  title: string;
  /** Whether the section is often changed, so that it is open at first. */
  used: boolean;
  parameters: Parameter[];
}

/** Limits beyond this are not shown: JavaScript cannot distinguish neighbouring numbers there. */
const HUGE = Number.MAX_SAFE_INTEGER;

const words = (key: string) => key.replaceAll('_', ' ');

export const labelOf = (parameter: Parameter) => words(parameter.key.split('.').at(-1) ?? parameter.key);

function titleOf(key: string): string {
  if (key === '') return 'Game and seed';
  const title = words(key).replaceAll('.', ', ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Parameters by section, in the order of the text. */
export function sections(parameters: Parameter[]): Section[] {
  const found = new Map<string, Parameter[]>();
  for (const parameter of parameters) {
    const key = parameter.key.split('.').slice(0, -1).join('.');
    found.set(key, [...(found.get(key) ?? []), parameter]);
  }
  return [...found].map(([key, inside]) => ({ key, title: titleOf(key), used: /^(|setup|stop|strategy(\.\w+)?)$/.test(key), parameters: inside }));
}

const number = (value: number) => (Number.isInteger(value) && value >= 0 ? grouped(value) : String(value));

/** The range in words, such as `1 to 100 000`; empty if there is no limit. */
export function rangeOf({ min, max }: Parameter): string {
  const least = min !== null && min > -HUGE ? min : null;
  const most = max !== null && max < HUGE ? max : null;
  if (least !== null && most !== null) return `${number(least)} to ${number(most)}`;
  if (least !== null) return `at least ${number(least)}`;
  return most === null ? '' : `at most ${number(most)}`;
}

/** A value as the text of its field. */
export function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return value === null || value === undefined ? '' : String(value);
}

/** The value of a field's text, or the error in it. */
export function read(parameter: Parameter, text: string): { value: unknown } | { wrong: string } {
  switch (parameter.kind) {
    case 'whole':
    case 'number':
      return readNumber(parameter, text);
    case 'numbers':
      return readNumbers(parameter, text);
    case 'switch':
      return { value: text === 'true' };
    case 'choice':
    case 'text':
      return { value: text };
  }
}

function readNumber(parameter: Parameter, text: string): { value: number } | { wrong: string } {
  const range = rangeOf(parameter);
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return { wrong: `Enter a number${range && `, ${range}`}.` };
  if (parameter.kind === 'whole' && !Number.isSafeInteger(value)) return { wrong: `Enter a whole number${range && `, ${range}`}.` };
  const outside = (parameter.min !== null && value < parameter.min) || (parameter.max !== null && value > parameter.max);
  return outside ? { wrong: `${text.trim()} is not allowed: ${range}.` } : { value };
}

function readNumbers(parameter: Parameter, text: string): { value: number[] } | { wrong: string } {
  const values: number[] = [];
  for (const part of text.split(/[\s,;]+/).filter((part) => part !== '')) {
    const one = readNumber(parameter, part);
    if ('wrong' in one) return one;
    values.push(one.value);
  }
  return { value: values };
}
