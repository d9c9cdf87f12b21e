// A thread that does what it is told, for job-threads.test.ts.
import { setTimeout as wait } from 'node:timers/promises';
import { serveJobs } from '../../../src-main/base/serve-jobs.ts';

export type TestJob =
  | { readonly kind: 'echo'; readonly text: string }
  | { readonly kind: 'spin' | 'fail' | 'exit' | 'fill-memory' | 'answer-with-a-function' }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'wait'; readonly ms: number };

serveJobs(async (job: TestJob): Promise<unknown> => {
  switch (job.kind) {
    case 'echo':
      return job.text;
    case 'spin':
      for (;;);
    case 'fail':
      throw new Error('it was told to fail');
    case 'exit':
      process.exit(3);
      break;
    case 'fill-memory': {
      const kept: object[] = [];
      for (;;) kept.push({ text: String(Math.random()) });
    }
    case 'answer-with-a-function':
      return () => undefined;
    case 'sleep':
      // Blocks the event loop, as if other programs kept the thread from its processor.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
      return 'slept';
    case 'wait':
      return wait(job.ms);
  }
});
