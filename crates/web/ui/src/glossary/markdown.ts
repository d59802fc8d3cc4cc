// Reads the text of docs/glossary.md: headings, paragraphs, links and code. The glossary uses no other Markdown.

/** A part of a paragraph. A link leads to another entry; `id` is its address within the page. */
export type Span = { kind: 'text' | 'code'; text: string } | { kind: 'link'; text: string; id: string };

export type Paragraph = Span[];

/** A word with its explanation. */
export interface Entry {
  id: string;
  word: string;
  paragraphs: Paragraph[];
}

export interface Glossary {
  introduction: Paragraph[];
  entries: Entry[];
}

/** The address of a heading within a page, as GitHub and mdBook form it: `Decision table` becomes `decision-table`. */
const idOf = (word: string) => word.toLowerCase().replace(/[^\w\s-]/g, '').trim().replace(/\s+/g, '-');

/** `code`, or a link such as [text](#address). Links to other files are shown as text: the app has only this page. */
const MARKUP = /`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/g;

function spansOf(text: string): Paragraph {
  const spans: Span[] = [];
  let end = 0;
  const addText = (part: string) => part && spans.push({ kind: 'text', text: part });
  for (const found of text.matchAll(MARKUP)) {
    const [whole, code, label = '', address = ''] = found;
    addText(text.slice(end, found.index));
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (address.startsWith('#')) spans.push({ kind: 'link', text: label, id: address.slice(1) });
    else addText(label);
    end = found.index + whole.length;
  }
  addText(text.slice(end));
  return spans;
}

/** Reads a glossary: a title, an introduction, and an entry for each heading of the second level. */
export function readGlossary(markdown: string): Glossary {
  const introduction: Paragraph[] = [];
  const entries: Entry[] = [];
  for (const block of markdown.split(/\n\s*\n/).map((block) => block.trim().replace(/\s*\n\s*/g, ' '))) {
    const [, level, word = ''] = /^(#+)\s+(.*)$/.exec(block) ?? [];
    if (level === '##') entries.push({ id: idOf(word), word, paragraphs: [] });
    else if (level === undefined && block !== '') (entries.at(-1)?.paragraphs ?? introduction).push(spansOf(block));
  }
  return { introduction, entries };
}
