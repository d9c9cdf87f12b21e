/** What the consent surface of a window shows. */
export interface ShownQuestion {
  readonly id: string;
  /** Above the composer of its conversation, if there is room; otherwise over the whole window. */
  readonly isDocked: boolean;
  /** The question is about something the user has just requested: it may take the focus. */
  readonly isOfUser: boolean;
}

/** Current placement of that surface. */
export interface SurfacePlace {
  readonly hasRoomToDock: boolean;
  /** How much of the space above the composer it covers, in CSS pixels of the chat; 0: none. */
  readonly dockedHeight: number;
}
