import { mount } from 'svelte';
import '../ui/base.css';
import { bridgeOver, type PreloadBridge } from '../ui/bridge.ts';
import { fetchWhileIdle } from '../ui/deferred.svelte.ts';
import { keepFocus } from '../ui/keep-focus.ts';
import App from './App.svelte';
import { Steward } from './steward.svelte.ts';
import { followTheme } from './theme.ts';

declare global {
  interface Window {
    readonly steward: PreloadBridge;
  }
}

const target = document.getElementById('app');
if (target === null) throw new Error('app.html has no element with the id "app".');

keepFocus(document);
const bridge = bridgeOver<'app'>(window.steward);
const steward = new Steward(bridge);
mount(App, { target, props: { steward } });
void followTheme(bridge);
void steward.start(/^#([0-9a-f-]{36})$/.exec(window.location.hash)?.[1] ?? null);
// Everything else is fetched after the first paint.
requestAnimationFrame(fetchWhileIdle);
