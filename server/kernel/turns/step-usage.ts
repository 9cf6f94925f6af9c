/** As the provider reports it; `cost` in US dollars is kept in a column of its own, at the step and summed at the turn. */
export type StepUsage = {
  input_tokens?: number;
  output_tokens?: number;
  cached_input_tokens?: number;
  cache_write_tokens?: number;
  reasoning_tokens?: number;
  is_scripted?: boolean;
  cost?: number;
};
