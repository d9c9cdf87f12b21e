/**
 * What a call affects. A tool declares it for each exact call before anything runs; the policy decides on it, and the
 * user is shown it. Source: design section 4, tool catalogue B ("Side-effect classes").
 */
export type AccessClass = 'read' | 'write' | 'execute' | 'network' | 'network-private' | 'send';
