/** Ends the examination of a line: it may do more than read what may be read. */
export class NotReading extends Error {
  override readonly name = 'NotReading';
}
