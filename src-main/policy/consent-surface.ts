/** What the consent surface of a window shows. */
export interface ShownQuestion {
  readonly id: string;
  /**
   * The question is shown above the composer of its conversation if there is room, and otherwise over the whole window.
   */
  readonly isDocked: boolean;
  /** The question is about something that the user has just requested, so it may take the focus. */
  readonly isOfUser: boolean;
}

/** The current placement of that surface. */
export interface SurfacePlace {
  readonly hasRoomToDock: boolean;
  /** The height that it covers above the composer, in CSS pixels of the chat. With 0, it covers nothing there. */
  readonly dockedHeight: number;
}
