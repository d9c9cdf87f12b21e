import { expect, test } from 'vitest';
import { expandTemplate, TemplateFailure, templateVariables } from '../../../src-main/mcp/content/template-uri.ts';

test('templates are expanded as RFC 6570 has it', () => {
  const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', x: '1024', y: '768', empty: '' };
  // The examples of its sections 3.2.2 to 3.2.9.
  const examples: Readonly<Record<string, string>> = {
    '{var}': 'value',
    '{hello}': 'Hello%20World%21',
    '{+hello}': 'Hello%20World!',
    '{+path}/here': '/foo/bar/here',
    'map?{x,y}': 'map?1024,768',
    '{#x,hello,y}': '#1024,Hello%20World!,768',
    'X{.x,y}': 'X.1024.768',
    '{/var,x}/here': '/value/1024/here',
    '{;x,y}': ';x=1024;y=768',
    '{?x,y}': '?x=1024&y=768',
    '?fixed=yes{&x}': '?fixed=yes&x=1024',
    '{var:3}': 'val',
    '{absent}': '',
    none: 'none',
  };
  for (const [template, uri] of Object.entries(examples)) expect(expandTemplate(template, values), template).toBe(uri);
  expect(templateVariables('db://{table}/{row}{?table}')).toEqual(['table', 'row']);
});

test('what is filled in stays where it was filled in', () => {
  const hostile = '../x?y=1#z@evil.example/{var}%2e,';
  for (const template of ['db://host/{a}/end', 'db://host/{a,b}/end', 'db://host{/a}', 'db://host/{?a}']) {
    const { host, pathname, hash } = new URL(
      expandTemplate(template, { a: hostile, b: hostile }).replace('db:', 'http:'),
    );
    expect(host, template).toBe('host');
    expect(hash, template).toBe('');
    expect(pathname.split('/'), template).not.toContain('..');
  }
  expect(() => expandTemplate('{a}', { a: '\ud800' })).toThrow(TemplateFailure);
  expect(expandTemplate('{toString}', {})).toBe('');
});

test('a malformed template is refused', () => {
  for (const template of ['{', 'x}', '{a', '{{a}}', '{a b}', '{=a}', '{}', '{a}'.repeat(101), 'x'.repeat(10_001)])
    expect(() => templateVariables(template), template.slice(0, 20)).toThrow(TemplateFailure);
  expect(() => expandTemplate('{a}', { a: 'x'.repeat(200_000) })).toThrow(TemplateFailure);
});
