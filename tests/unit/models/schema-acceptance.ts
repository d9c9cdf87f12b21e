type Bag = Readonly<Record<string, unknown>>;

/**
 * What services are known to refuse in tools, in their words. Sources: OpenAI's function calling guide and API
 * reference and `invalid_function_parameters` errors in public trackers; the Schema and FunctionDeclaration pages of
 * the Gemini API (https://ai.google.dev/api/caching#Schema) and of Vertex AI, and the errors of GenerateContentRequest
 * in public trackers.
 */
export function openAiRefusals(tools: unknown): string[] {
  if (!Array.isArray(tools)) return ["'tools': expected an array"];
  if (tools.length > 128) return [`Invalid 'tools': array too long. Expected an array with maximum length 128`];
  return tools.flatMap((tool: Bag) => {
    const { name, description, parameters, ...others } = bag(tool.function);
    if (tool.type !== 'function') return ["Missing required parameter: 'tools[].type'"];
    if (Object.keys(others).length > 0) return [`Unknown parameter: ${Object.keys(others).join()}`];
    if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return ["'name': does not match pattern"];
    if (typeof description !== 'string' || description === '') return ["'description': expected a string"];
    if (description.length > 1024) return ["'description': string too long. Expected maximum length 1024"];
    const root = bag(parameters);
    if (root.type !== 'object') return [`schema must be a JSON Schema of 'type: "object"'`];
    const atRoot = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'].filter((keyword) => keyword in root);
    if (atRoot.length > 0) return [`schema must not have ${atRoot.join()} at the top level`];
    if (typeof root.properties !== 'object') return ['object schema missing properties'];
    return [...openAiNode(root, root, 'parameters')];
  });
}

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLES = ['items', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema'];
const OPEN = ['additionalProperties', 'unevaluatedProperties'];
const JSON_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function* openAiNode(node: unknown, root: Bag, at: string): Generator<string> {
  if (!isBag(node)) {
    yield `${at}: ${JSON.stringify(node)} is not of type 'object'`;
    return;
  }
  const types = Array.isArray(node.type) ? node.type : node.type === undefined ? [] : [node.type];
  for (const type of types) if (!JSON_TYPES.includes(String(type))) yield `${at}: ${type} is not valid`;
  if (types.includes('array') && !isBag(node.items)) yield `${at}: array schema missing items`;
  if ('enum' in node && !(Array.isArray(node.enum) && node.enum.length > 0)) yield `${at}: enum is too short`;
  if ('required' in node && !(Array.isArray(node.required) && node.required.every((each) => typeof each === 'string')))
    yield `${at}: required is not an array of strings`;
  if (typeof node.$ref === 'string') {
    const target = node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((each, key) => (node.$ref === '#' ? root : memberOf(each, key)), root);
    if (!node.$ref.startsWith('#') || !isBag(target)) yield `${at}: reference to ${node.$ref} can not be resolved`;
  }
  for (const keyword of MAPS)
    for (const [name, each] of Object.entries(bag(node[keyword])))
      yield* openAiNode(each, root, `${at}.${keyword}.${name}`);
  for (const keyword of LISTS)
    if (Array.isArray(node[keyword]))
      for (const [index, each] of node[keyword].entries()) yield* openAiNode(each, root, `${at}.${keyword}.${index}`);
  for (const keyword of SINGLES) if (keyword in node) yield* openAiNode(node[keyword], root, `${at}.${keyword}`);
  for (const keyword of OPEN) if (isBag(node[keyword])) yield* openAiNode(node[keyword], root, `${at}.${keyword}`);
}

export function geminiRefusals(tools: unknown): string[] {
  if (!Array.isArray(tools)) return ['tools: Proto field is repeating'];
  return tools.flatMap((tool: Bag) => {
    const declarations = tool.functionDeclarations;
    if (!Array.isArray(declarations) || declarations.length === 0) return ['function_declarations: must not be empty'];
    return declarations.flatMap((declaration: Bag) => {
      const { name, description, parameters, ...others } = declaration;
      if (Object.keys(others).length > 0) return [`Unknown name "${Object.keys(others).join()}": Cannot find field.`];
      if (typeof name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_.-]{0,62}$/.test(name)) return ['Invalid function name.'];
      if (typeof description !== 'string' || description === '') return ['description: missing field'];
      if (!('parameters' in declaration)) return [];
      const root = bag(parameters);
      if (root.type !== 'object' || 'nullable' in root) return ['parameters: should be of type OBJECT'];
      if (Object.keys(bag(root.properties)).length === 0)
        return ['parameters.properties: should be non-empty for OBJECT type'];
      return [...geminiNode(root, 'parameters', 0)];
    });
  });
}

/** Field → types of nodes that may have it; none: all. */
const GEMINI_FIELDS: Readonly<Record<string, readonly string[]>> = {
  type: [],
  description: [],
  nullable: [],
  anyOf: [],
  enum: ['string'],
  format: ['string'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  properties: ['object'],
  required: ['object'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
};

function* geminiNode(node: unknown, at: string, depth: number): Generator<string> {
  if (!isBag(node)) {
    yield `${at}: Proto field is not a message`;
    return;
  }
  if (depth > 40) yield `${at}: exceeds the maximum nesting depth`;
  if ('anyOf' in node) {
    if (Object.keys(node).length > 1) yield `${at}: when using any_of, it must be the only field set`;
    if (!Array.isArray(node.anyOf) || node.anyOf.length === 0) yield `${at}.any_of: must not be empty`;
    else for (const [index, each] of node.anyOf.entries()) yield* geminiNode(each, `${at}.any_of[${index}]`, depth + 1);
    return;
  }
  const type = String(node.type);
  if (!['string', 'number', 'integer', 'boolean', 'array', 'object'].includes(type))
    yield `${at}: schema didn't specify the schema type field`;
  for (const field of Object.keys(node)) {
    const types = Object.hasOwn(GEMINI_FIELDS, field) ? GEMINI_FIELDS[field] : undefined;
    if (types === undefined) yield `${at}: Unknown name "${field}": Cannot find field.`;
    else if (types.length > 0 && !types.includes(type)) yield `${at}.${field}: only allowed for ${types.join()} type`;
  }
  if ('description' in node && typeof node.description !== 'string') yield `${at}.description: not a string`;
  if ('nullable' in node && typeof node.nullable !== 'boolean') yield `${at}.nullable: not a boolean`;
  if ('format' in node && !['enum', 'date-time'].includes(String(node.format)))
    yield `${at}.format: only 'enum' and 'date-time' are supported for STRING type`;
  if (node.format === 'enum' && !('enum' in node)) yield `${at}.enum: missing field`;
  if ('enum' in node) {
    if (!Array.isArray(node.enum) || node.enum.length === 0) yield `${at}.enum: should not be empty`;
    else for (const each of node.enum) if (typeof each !== 'string' || each === '') yield `${at}.enum: cannot be empty`;
  }
  for (const field of ['minimum', 'maximum'])
    if (field in node && !Number.isFinite(node[field])) yield `${at}.${field}: not a number`;
  for (const field of ['minItems', 'maxItems'])
    if (field in node && !(Number.isSafeInteger(node[field]) && Number(node[field]) >= 0))
      yield `${at}.${field}: int64`;
  if (type === 'array' && !('items' in node)) yield `${at}.items: missing field`;
  if ('items' in node) yield* geminiNode(node.items, `${at}.items`, depth + 1);
  const properties = bag(node.properties);
  if ('properties' in node && Object.keys(properties).length === 0)
    yield `${at}.properties: should be non-empty for OBJECT type`;
  for (const [name, each] of Object.entries(properties)) {
    if (name === '') yield `${at}.properties: empty name`;
    yield* geminiNode(each, `${at}.properties[${name}]`, depth + 1);
  }
  if ('required' in node)
    for (const name of Array.isArray(node.required) ? node.required : [undefined])
      if (!Object.hasOwn(properties, String(name))) yield `${at}.required: property is not defined`;
}

/** A pointer leads through lists too: `#/properties/a/anyOf/0`. */
function memberOf(value: unknown, key: string): unknown {
  return Array.isArray(value) ? value[Number(key)] : bag(value)[key];
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bag(value: unknown): Bag {
  return isBag(value) ? value : {};
}
