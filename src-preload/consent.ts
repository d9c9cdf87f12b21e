import { exposeBridge } from './bridge.ts';

// The consent surface. Which routes it may use is main's decision: it knows this page by its view and origin.
exposeBridge();
