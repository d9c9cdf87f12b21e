import { mount } from 'svelte';
import '../ui/base.css';
import { bridgeOver, type PreloadBridge } from '../ui/bridge.ts';
import ConsentPage from './ConsentPage.svelte';
import { ConsentDesk } from './consent-desk.svelte.ts';

declare global {
  interface Window {
    readonly steward: PreloadBridge;
  }
}

const desk = new ConsentDesk(bridgeOver<'consent'>(window.steward));
desk.start();
mount(ConsentPage, { target: document.body, props: { desk } });
