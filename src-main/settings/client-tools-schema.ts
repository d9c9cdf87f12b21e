import { z } from 'zod';

/** The values of `clientTools` in config.json. Source: tool catalogue D.1 ("config", "collapsing config"). */
export const clientTools = z.object({
  invokeTimeout: z
    .number()
    .positive()
    .max(86_400)
    .default(30)
    .meta({ description: 'Seconds to wait for a client to answer.', expected: 'seconds, more than 0' }),
  disconnectionStrategy: z.enum(['FallbackMessage', 'FailFast', 'RetryWithBackoff']).default('FallbackMessage').meta({
    description: 'What happens when a client does not answer or goes away.',
    expected: 'one of FallbackMessage, FailFast, RetryWithBackoff',
  }),
  maxRetries: z
    .int()
    .min(0)
    .max(100)
    .default(3)
    .meta({ description: 'For `RetryWithBackoff`.', expected: 'a whole number from 0 to 100' }),
  fallbackMessageTemplate: z
    .string()
    .max(10_000)
    .default("Client disconnected. Tool '{0}' unavailable.")
    .meta({ description: 'For `FallbackMessage`; `{0}` is the tool.', expected: 'a text' }),
  validateSchemaOnRegistration: z.boolean().default(true).meta({
    description: 'Refuses client tools whose parameters are no valid JSON Schema.',
    expected: 'true or false',
  }),
  collapseClientTools: z
    .boolean()
    .default(true)
    .meta({ description: 'Offers a group of client tools as one tool until it is opened.', expected: 'true or false' }),
  clientToolsInstructions: z
    .string()
    .max(100_000)
    .optional()
    .meta({ description: 'Added to the system prompt while client tools are registered.', expected: 'a text' }),
  socket: z.boolean().default(false).meta({
    description:
      'Lets programs on this machine offer tools to the open window, each once you have paired it. Takes effect once you have confirmed it.',
    expected: 'true or false',
  }),
  collapseAtTurnEnd: z
    .boolean()
    .default(false)
    .meta({ description: 'Closes opened groups when a turn ends.', expected: 'true or false' }),
});
