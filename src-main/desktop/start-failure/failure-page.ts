import type { FailureAction, FailureText } from './failure-texts.ts';

const LABELS: Readonly<Record<FailureAction, string>> = {
  retry: 'Try again',
  folder: 'Show the profile folder',
  other: 'Open another profile…',
  quit: 'Quit',
};

/** The address that the buttons lead to. The page never goes there; main acts instead. */
const ACTION_URL = 'steward://start-failure/';

export function actionIn(url: string): FailureAction | undefined {
  return (Object.keys(LABELS) as FailureAction[]).find((action) => url.replace(/\?$/, '') === ACTION_URL + action);
}

/**
 * The page as a URL. It has no script, no preload and no file of its own, so that it can be shown whatever is missing:
 * its buttons are forms, whose navigation main takes as the answer. The colours are those of
 * src-renderer/ui/tokens.css.
 */
export function failurePage({ title, explanation, advice, facts, actions }: FailureText): string {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action steward:">
<title>Steward</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(explanation)}</p>
<h2>What you can do</h2>
<ul>${advice.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>
<dl>${facts.map(({ name, value }) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
</main>
<footer>${actions.map(button).toReversed().join('')}</footer>
</html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

function button(action: FailureAction, index: number): string {
  const first = index === 0 ? ' class="primary" autofocus' : '';
  return `<form action="${ACTION_URL}${action}"><button${first}>${escaped(LABELS[action])}</button></form>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: light-dark(#fbfaf8, #1d1b19); color: light-dark(#26221d, #ece7e0); }
main { flex: 1; width: 100%; max-width: 44rem; margin: 0 auto; padding: 2.5rem 2rem 1.5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.3; font-weight: 600; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 1.5rem 0 .25rem; font-size: .9375rem; font-weight: 600; }
p { margin: 0; }
ul { margin: 0; padding-left: 1.25rem; }
li { margin-top: .25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1.5rem 0 0; padding: .75rem 1rem; border-radius: .5rem; background: light-dark(#f4f2ee, #181614); font-size: .8125rem; }
dt { color: light-dark(#635b51, #b0a79c); }
dd { margin: 0; user-select: text; }
footer { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .5rem; padding: 1rem 2rem; border-top: 1px solid light-dark(#e5e0d8, #38332f); background: light-dark(#fbfaf8, #1d1b19); }
form { display: contents; }
button { min-height: 2.25rem; padding: 0 1rem; border: 1px solid light-dark(#e5e0d8, #38332f); border-radius: .5rem; background: light-dark(#ffffff, #252220); color: inherit; font: inherit; font-weight: 500; cursor: pointer; }
button:hover { background: light-dark(#ece8e1, #2e2a27); }
button.primary { border-color: transparent; background: light-dark(#14665e, #6cc5b9); color: light-dark(#ffffff, #0d1f1d); }
button.primary:hover { background: light-dark(#0e524b, #85d3c8); }
button:focus-visible { outline: 2px solid light-dark(#14665e, #6cc5b9); outline-offset: 2px; }
@media (max-width: 30rem) { main { padding: 1.5rem 1rem 1rem; } dl { grid-template-columns: 1fr; } dd + dt { margin-top: .25rem; } footer { padding: .75rem 1rem; } }
`;
