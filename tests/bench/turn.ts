import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareEnvironment } from '../fixtures/running-assistant.ts';
import type { Bench } from './bench.ts';
import { startServer } from './child-processes.ts';
import { comparison } from './report.ts';
import { interleaved } from './sampling.ts';
import type { LoopSample, LoopSide } from './turn-process.ts';
import { CALLS, scriptedTurns } from './turn-script.ts';

/**
 * Each loop has a process of its own that lives through all rounds, so that neither pays for the other's garbage or
 * compiled code, and start-up, which is measured on its own, is in neither. All talk to one server in yet another
 * process. The runner's own way, a thread kept by the server, sends only what is new in each round; it is shown too.
 */
export const turn: Bench = {
  name: 'turn',
  meaning:
    'What Steward adds to fifty steps of work: each step is written to disk before it is shown. The other side keeps nothing.',
  run: async ({ isQuick, temporaryFolder }) => {
    const script = join(temporaryFolder, 'turn-script.json');
    await writeFile(script, JSON.stringify({ turns: scriptedTurns(), afterLast: 'restart' }));
    const server = await startServer({
      program: process.execPath,
      args: [join(import.meta.dirname, '../fixtures/serve-model.ts'), 'messages-api', script],
      cwd: temporaryFolder,
      env: bareEnvironment(temporaryFolder),
    });
    const sides = ['ours', 'runner', 'threads'] as const;
    const [ours, runner, threads] = sides.map((side) => loopProcess(side, server.url));
    if (ours === undefined || runner === undefined || threads === undefined)
      throw new Error('unreachable: three sides');
    try {
      const samples = await interleaved(
        { ours: ours.run, runner: runner.run, threads: threads.run },
        { warmUps: isQuick ? 1 : 5, rounds: isQuick ? 3 : 20 },
      );
      const of = (side: LoopSide, name: keyof LoopSample) => samples[side].map((sample) => sample[name]);
      return [
        comparison(
          { what: `${CALLS} calls in one turn, every event on disk`, unit: 'ms', ours: of('ours', 'wallMs') },
          { name: 'SDK tool runner', theirs: of('runner', 'wallMs') },
          { ratioAtMost: 1.15 },
        ),
        comparison(
          { what: 'the same, runner with server-side threads', unit: 'ms', ours: of('ours', 'wallMs') },
          { name: 'SDK tool runner', theirs: of('threads', 'wallMs') },
        ),
        comparison(
          { what: 'CPU time of the process', unit: 'ms', ours: of('ours', 'cpuMs') },
          { name: 'SDK tool runner', theirs: of('runner', 'cpuMs') },
          { ratioAtMost: 1.3 },
        ),
      ];
    } finally {
      await Promise.all([ours.stop(), runner.stop(), threads.stop()]);
      await server.stop();
    }
  },
};

function loopProcess(side: LoopSide, url: string) {
  const child = fork(join(import.meta.dirname, 'turn-process.ts'), [side, url], { env: { PATH: process.env.PATH } });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    run: async (): Promise<LoopSample> => {
      const answer = new Promise<LoopSample>((resolve) =>
        child.once('message', (sample: LoopSample) => resolve(sample)),
      );
      child.send('run');
      const ended = exited.then((code) => {
        throw new Error(`The process of the loop "${side}" ended with ${code}`);
      });
      return Promise.race([answer, ended]);
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
