import { serveJobs } from '../../../base/serve-jobs.ts';
import { docxParagraphs } from './docx-paragraphs.ts';

/** Entry of the thread that reads Word documents, one after the other. */
serveJobs(({ buffer, byteOffset, byteLength }: Uint8Array) =>
  docxParagraphs(Buffer.from(buffer, byteOffset, byteLength)),
);
