const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false } as const;
const READS_HERE = { readOnlyHint: true, openWorldHint: false } as const;

/** What the server lists, and what the app offers of it before it runs. Source: tool catalogue C.6. */
export const SYSTEM_INFO_TOOLS = [
  {
    name: 'system_info',
    title: 'System information',
    description:
      'Read facts about this computer: operating system, machine name, current user, processors, memory, uptime.',
    inputSchema: NO_PARAMETERS,
    annotations: READS_HERE,
  },
  {
    name: 'disk_info',
    title: 'Disk information',
    description: "List this computer's fixed drives with label, format, total size and free space.",
    inputSchema: NO_PARAMETERS,
    annotations: READS_HERE,
  },
  {
    name: 'network_info',
    title: 'Network interfaces',
    description: "List this computer's active network interfaces with type, speed and IP addresses.",
    inputSchema: NO_PARAMETERS,
    annotations: READS_HERE,
  },
] as const;

export type SystemInfoTool = (typeof SYSTEM_INFO_TOOLS)[number]['name'];
