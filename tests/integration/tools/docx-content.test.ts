import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { allowAll } from '../../fixtures/allow-all.ts';
import {
  documentXml,
  OFFICE,
  packedDocx,
  paragraph,
  RELATIONSHIPS,
  type ZipEntry,
  zipOf,
} from '../../fixtures/docx.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  onTestFinished(() => tools.dispose());
});

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const R = `xmlns:r="${OFFICE}"`;
const words = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`;
const run = (text: string, looks = '') => `<w:r>${looks === '' ? '' : `<w:rPr>${looks}</w:rPr>`}${words(text)}</w:r>`;
const RAISED = '<w:vertAlign w:val="superscript"/>';

function relationships(...rows: readonly (readonly [id: string, type: string, target: string])[]): ZipEntry {
  const all = rows.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${type === 'hyperlink' ? ' TargetMode="External"' : ''}/>`,
  );
  return {
    name: 'word/_rels/document.xml.rels',
    content: `<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`,
  };
}

async function textOf(body: string, more: readonly ZipEntry[] = [], name = 'a.docx'): Promise<string> {
  tools.put(name, packedDocx(documentXml(body), more));
  return tools.text('read_file', { path: name });
}

test('footnotes and endnotes: a mark in the text, and the notes after it', async () => {
  const note = (kind: string, id: number, text: string) => `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}>`;
  const body = `<w:p>${run('Yes')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' and no')}<w:r><w:endnoteReference w:id="2"/></w:r><w:r><w:footnoteReference w:id="3"/></w:r></w:p>`;
  const text = await textOf(body, [
    relationships(['r1', 'footnotes', 'footnotes.xml'], ['r2', 'endnotes', 'endnotes.xml']),
    {
      name: 'word/footnotes.xml',
      content: `<w:footnotes ${W}>${note('footnote', 3, 'Third')}${note('footnote', 2, 'First')}</w:footnotes>`,
    },
    { name: 'word/endnotes.xml', content: `<w:endnotes ${W}>${note('endnote', 2, 'Second')}</w:endnotes>` },
  ]);
  expect(text).toBe('Yes[1] and no[2][3]\n\nFootnotes:\n[1] First\n[3] Third\n\nEndnotes:\n[2] Second');
});

test('comments with their author', async () => {
  const comment = `<w:comment w:id="1" w:author="Ada Lovelace">${paragraph('Too dear.')}${paragraph('Ask again.')}</w:comment>`;
  const text = await textOf(`<w:p>${run('99 EUR')}<w:r><w:commentReference w:id="1"/></w:r></w:p>`, [
    relationships(['r1', 'comments', 'comments.xml']),
    { name: 'word/comments.xml', content: `<w:comments ${W}>${comment}</w:comments>` },
  ]);
  expect(text).toBe('99 EUR\n\nComments:\nAda Lovelace: Too dear.\nAsk again.');
});

test('headers and footers, each text once, with their own links', async () => {
  const link = `<w:p><w:hyperlink r:id="r1">${run('our site')}</w:hyperlink></w:p>`;
  const text = await textOf(`${paragraph('Body')}<w:sectPr/>`, [
    relationships(
      ['r1', 'header', 'header1.xml'],
      ['r2', 'header', 'header2.xml'],
      ['r3', 'footer', '/word/footer1.xml'],
      ['r4', 'header', 'missing.xml'],
    ),
    { name: 'word/header1.xml', content: `<?xml version="1.0"?>\n<w:hdr ${W}>${paragraph('Confidential')}</w:hdr>` },
    { name: 'word/header2.xml', content: `<w:hdr ${W}>${paragraph('Confidential')}</w:hdr>` },
    { name: 'word/footer1.xml', content: `<w:ftr ${W} ${R}>${paragraph('Page 1')}${link}</w:ftr>` },
    {
      name: 'word/_rels/footer1.xml.rels',
      content: `<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="r1" Type="${OFFICE}/hyperlink" Target="https://x.example/" TargetMode="External"/></Relationships>`,
    },
  ]);
  expect(text).toBe('Body\n\nHeaders:\nConfidential\n\nFooters:\nPage 1\nour site (https://x.example/)');
});

test('link addresses, once where they are the text', async () => {
  const linked = (id: string, text: string) => `<w:hyperlink ${R} r:id="${id}">${run(text)}</w:hyperlink>`;
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "https://f.example/a"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('in')}${run('side', '<w:b/>')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const body = [
    `<w:p>${run('See ')}${linked('r1', 'the page')}${run(', or ')}${linked('r2', 'https://y.example')}${run('.')}</w:p>`,
    `<w:p>${linked('r3', 'ada@x.example')}${run(' ')}<w:hyperlink w:anchor="top">${run('up')}</w:hyperlink></w:p>`,
    `<w:p>${field}${run('!')}</w:p>`,
  ].join('');
  const text = await textOf(body, [
    relationships(
      ['r1', 'hyperlink', 'https://x.example/page'],
      ['r2', 'hyperlink', 'https://y.example/'],
      ['r3', 'hyperlink', 'mailto:ada@x.example'],
    ),
  ]);
  expect(text).toBe(
    'See the page (https://x.example/page), or https://y.example.\nada@x.example up\ninside (https://f.example/a)!',
  );
});

test('raised text is an exponent where it follows something', async () => {
  const body = [
    `<w:p>${run('2')}${run('2', RAISED)}${run('4', RAISED)}${run(' and 10')}${run('-3', RAISED)}${run(' m')}${run('2', RAISED)}</w:p>`,
    `<w:p>${run('x')}${run('n+1', RAISED)}${run(', the 1')}${run('st', RAISED)}${run(' of May')}${run('*', RAISED)}</w:p>`,
    `<w:p>${run('H')}${run('2', '<w:vertAlign w:val="subscript"/>')}${run('O')}</w:p>`,
  ].join('');
  expect(await textOf(body)).toBe('2^24 and 10^-3 m^2\nx^(n+1), the 1st of May*\nH2O');
});

test('equations in one line', async () => {
  const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const part = (name: string, inside: string) => `<m:${name}>${inside}</m:${name}>`;
  const power = part('sSup', part('e', t('x')) + part('sup', t('2')));
  const fraction = part('f', part('num', t('a+b')) + part('den', t('2c')));
  const root = part('rad', part('radPr', '<m:degHide m:val="1"/>') + part('deg', '') + part('e', t('y')));
  const sum = part(
    'nary',
    part('naryPr', '<m:chr m:val="∑"/>') + part('sub', t('i=1')) + part('sup', t('n')) + part('e', t('i')),
  );
  const body = [
    `<w:p>${run('Let ')}<m:oMath ${M}>${power}${t('=')}${fraction}</m:oMath>${run('.')}</w:p>`,
    `<w:p><m:oMathPara ${M}><m:oMath>${root}${t('&lt;')}${sum}</m:oMath></m:oMathPara></w:p>`,
  ].join('');
  expect(await textOf(body)).toBe('Let x^2=(a+b)/2c.\n√(y)<∑_(i=1)^n i');
});

test('numbers of lists and headings, counted as Word does', async () => {
  const level = (at: number, format: string, pattern: string, more = '') =>
    `<w:lvl w:ilvl="${at}">${more}<w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
  const numbering = `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum><w:abstractNum w:abstractNumId="2">${level(0, 'upperRoman', '%1', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`;
  const style = (id: string, properties: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}">${properties}</w:style>`;
  const styles = `<w:styles ${W}>${style('H1', '<w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr>')}${style('Sub', '<w:basedOn w:val="H1"/>')}</w:styles>`;
  const item = (list: number, at: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
  const styled = (id: string, text: string, more = '') =>
    `<w:p><w:pPr><w:pStyle w:val="${id}"/>${more}</w:pPr>${run(text)}</w:p>`;
  const body = [
    styled('H1', 'Scope'),
    item(1, 0, 'one'),
    item(1, 1, 'in it'),
    item(1, 1, 'too'),
    item(1, 0, 'two'),
    item(1, 1, 'again'),
    item(2, 0, 'a bullet'),
    styled('Sub', 'Terms'),
    item(3, 1, 'Price'),
    item(4, 0, 'seven'),
    item(4, 0, 'eight'),
    styled('H1', 'Not numbered', '<w:numPr><w:numId w:val="0"/></w:numPr>'),
  ].join('');
  const text = await textOf(body, [
    relationships(['r1', 'numbering', 'numbering.xml'], ['r2', 'styles', 'styles.xml']),
    { name: 'word/numbering.xml', content: `<?xml version="1.0"?>\n${numbering}` },
    { name: 'word/styles.xml', content: styles },
  ]);
  expect(text.split('\n')).toEqual([
    'I Scope',
    '1. one',
    'a) in it',
    'b) too',
    '2. two',
    'a) again',
    'a bullet',
    'II Terms',
    'II.1 Price',
    '7. seven',
    '8. eight',
    'Not numbered',
  ]);
});

test('the higher numbers of a legal number are decimals', async () => {
  const level = (index: number, format: string, pattern: string, more = '') =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="3"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${pattern}"/></w:lvl>`;
  const levels = [
    level(0, 'upperRoman', '%1.'),
    level(1, 'decimal', '%1.%2', '<w:isLgl/>'),
    level(2, 'decimal', '%1.%2.%3', '<w:isLgl w:val="0"/>'),
  ];
  const numbering = `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const item = (depth: number) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr>${run('x')}</w:p>`;
  const text = await textOf([0, 1, 2].map(item).join(''), [
    relationships(['r1', 'numbering', 'numbering.xml']),
    { name: 'word/numbering.xml', content: numbering },
  ]);
  expect(text).toBe('III. x\n3.3 x\nIII.3.3 x');
});

test('the results of fields, text in the other direction, ruby and tabs that align', async () => {
  const field = (instruction: string, result: string) =>
    `<w:fldSimple w:instr="${instruction}">${run(result)}</w:fldSimple>`;
  const ruby = `<w:r><w:ruby><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r>`;
  const text = await textOf(
    [
      `<w:p>${run('Figure ')}${field(' SEQ Figure \\* ARABIC ', '4')}${run(': Rain')}</w:p>`,
      `<w:p><w:bdo w:val="rtl">${run('שלום')}</w:bdo><w:dir w:val="rtl">${run(' עולם')}</w:dir></w:p>`,
      `<w:p>${ruby}</w:p>`,
      `<w:p>${run('Draft')}<w:r><w:ptab w:relativeTo="margin" w:alignment="right" w:leader="none"/></w:r>${run('Page ')}${field(' PAGE ', '7')}<w:r><w:cr/></w:r>${run('end')}</w:p>`,
    ].join(''),
  );
  expect(text).toBe('Figure 4: Rain\nשלום עולם\n漢字\nDraft\tPage 7\nend');
});

test.each([
  ['is empty, so it is not a Word document, whatever its name says. Rename it to .txt and read that', ''],
  ['is text, not a Word document, whatever its name says. Rename it to .txt and read that', 'Dear Ada,\n'],
])('a file with the name of a Word document that %s', async (problem, content) => {
  tools.put('a.docx', content);
  expect(await tools.text('read_file', { path: 'a.docx' })).toBe(`Error reading file: the file ${problem}`);
});

test('something else with the name of a Word document says what it is', async () => {
  const entries = [{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' }];
  tools.put('a.docx', zipOf(entries));
  expect(await tools.text('read_file', { path: 'a.docx' })).toMatch(
    /^Error reading file: a\.docx is not text: OpenDocument text, \d+ bytes\. Save it as a Word document/,
  );
});

test('a picture is its alternative text; a large initial belongs to its word', async () => {
  const picture = `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture 1" descr="Sales by year"/></wp:inline></w:drawing></w:r>`;
  const initial = `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${run('O')}</w:p>`;
  expect(await textOf(`<w:p>${picture}</w:p>${initial}${paragraph('nce upon a time')}`)).toBe(
    '[Sales by year]\nOnce upon a time',
  );
});

test.each(['a.docm', 'B.DOTX', 'c.dotm'])('%s is read like .docx', async (name) => {
  expect(await textOf(paragraph('Text'), [], name)).toBe('Text');
});

test('a document of 130,000 words is read, and says so while it is', async () => {
  const sentence = 'The quick brown fox jumps over the lazy dog and goes on to the next one. ';
  const body = Array.from(
    { length: 4_400 },
    (_, at) => `<w:p>${run(`${at} ${sentence}`)}${run(sentence, '<w:b/>')}</w:p>`,
  );
  const shown: string[] = [];
  tools.put('long.docx', packedDocx(documentXml(body.join(''))));
  const text = await tools.text('read_file', { path: 'long.docx' }, { onOutput: (chunk: string) => shown.push(chunk) });
  expect(text.match(/\S+/g)?.length).toBeGreaterThan(130_000);
  expect(shown.join('')).toMatch(/^Reading [\d,]+ characters/);
});
