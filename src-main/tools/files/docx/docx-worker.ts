import { serveJobs } from '../../../base/serve-jobs.ts';
import { docxParagraphs } from './docx-paragraphs.ts';

/** Entry point of the thread that reads Word documents, one at a time. */
serveJobs(({ buffer, byteOffset, byteLength }: Uint8Array, onProgress) =>
  docxParagraphs(Buffer.from(buffer, byteOffset, byteLength), onProgress),
);
