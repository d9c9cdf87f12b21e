import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { AppRig } from '../fixtures/electron-app.ts';

interface PeerConnection {
  readonly iceGatheringState: string;
  onicegatheringstatechange: () => void;
  createDataChannel(name: string): void;
  createOffer(): Promise<unknown>;
  setLocalDescription(offer: unknown): Promise<void>;
}

interface HostilePage {
  readonly RTCPeerConnection: new (options: object) => PeerConnection;
  readonly document: {
    readonly head: { append(node: object): void };
    createElement(name: string): object;
  };
}

/** Peer connections do not look at the loopback interface. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** A service that only listens: whatever reaches it has left the page. */
async function listen(heard: string[]): Promise<{ readonly udp: string; readonly tcp: string }> {
  const datagrams = createSocket('udp4', () => void heard.push('a datagram'));
  const connections = createServer((socket) => {
    heard.push('a connection');
    socket.destroy();
  });
  onTestFinished(() => {
    datagrams.close();
    connections.close();
  });
  datagrams.bind(0);
  connections.listen(0);
  await Promise.all([once(datagrams, 'listening'), once(connections, 'listening')]);
  const address = ownAddress();
  return {
    udp: `${address}:${datagrams.address().port}`,
    tcp: `${address}:${(connections.address() as AddressInfo).port}`,
  };
}

test('arbitrary code in the chat reaches no network by peer connections, prefetches or lookups of names', async (context) => {
  const heard: string[] = [];
  const { udp, tcp } = await listen(heard);
  const { app, chat } = await new AppRig(context).launch();

  const gathering = await chat.evaluate(
    async ([stun, turn]) => {
      const { document, RTCPeerConnection } = globalThis as unknown as HostilePage;
      for (const rel of ['preconnect', 'dns-prefetch', 'prefetch'])
        document.head.append(Object.assign(document.createElement('link'), { rel, href: `http://${turn}/` }));
      const connection = new RTCPeerConnection({
        iceServers: [
          { urls: `stun:${stun}` },
          { urls: `turn:${turn}?transport=tcp`, username: 'stolen', credential: 'words' },
        ],
      });
      connection.createDataChannel('way out');
      const complete = new Promise<void>((resolve) => {
        connection.onicegatheringstatechange = () => {
          if (connection.iceGatheringState === 'complete') resolve();
        };
      });
      await connection.setLocalDescription(await connection.createOffer());
      // If something answers or keeps silent, gathering goes on for longer than it takes to be heard.
      await Promise.race([complete, new Promise((resolve) => setTimeout(resolve, 15_000))]);
      return connection.iceGatheringState;
    },
    [udp, tcp] as const,
  );
  const lookups = await app.evaluate(({ session }) =>
    Promise.all(
      [session.defaultSession, session.fromPartition('persist:consent')].map((each) =>
        each.resolveHost('localhost').then(
          () => 'found',
          () => 'nothing',
        ),
      ),
    ),
  );

  expect(heard).toEqual([]);
  expect(gathering).toBe('complete');
  expect(lookups).toEqual(['nothing', 'nothing']);
});
