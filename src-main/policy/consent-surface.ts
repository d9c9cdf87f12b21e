/** What the surface of its own that asks in a window is to show. */
export interface ShownQuestion {
  readonly id: string;
  /** Above the composer of its conversation, if there is room; otherwise over the whole window. */
  readonly isDocked: boolean;
  /** The person has just asked for what it asks about: it may take the focus. */
  readonly isOfPerson: boolean;
}

/** Where that surface is now. */
export interface SurfacePlace {
  readonly hasRoomToDock: boolean;
  /** How much of the room above the composer it covers, in CSS pixels of the chat; 0: none. */
  readonly dockedHeight: number;
}
