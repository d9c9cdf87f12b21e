/**
 * Variables that make a program load or start something, whoever reads them. They are shown whole wherever a server is
 * set up or asked about: `NODE_OPTIONS=--import=data:…;token=live` looks like a secret, and is code. Those that only say
 * where a program finds its settings are here too, because settings name programs.
 *
 * Sources: the manuals of node(1), ld.so(8), dyld(1), python(1), perlrun(1), ruby(1), bash(1), git(1), java, dotnet, uv,
 * pip, npm, go and cargo; https://www.elttam.com/blog/env/ for what else is read.
 */
const NAMES = words(`
  env ifs ps0 ps1 ps2 ps3 ps4 shell shellopts bashopts comspec path pathext cdpath fpath manpath inputrc zdotdir home
  userprofile appdata localappdata programdata systemroot windir tmpdir editor visual browser pager manpager viminit
  exinit myvimrc makeflags mflags gnumakeflags makefiles cc cxx cpp ld ar terminfo terminfo_dirs locpath nlspath
  classpath goflags goroot gopath goenv goproxy gotoolchain gosumdb gonosumdb goprivate gobin kubeconfig gnupghome
  wgetrc curl_home openssl_conf openssl_modules ssh_auth_sock ssh_askpass ssh_options display xauthority hgrcpath hg
  hgmerge docker_host docker_config docker_context container_host aws_config_file aws_shared_credentials_file
  odbcini odbcsysini tns_admin rustc rustc_wrapper rustdoc rustflags rustup_home rustup_toolchain virtual_env
  ansible_config tclinit tcllibpath groff_tmac_path tar_options zipopt unzipopt less lessopen lessclose lesskey
  perllib openssl_engines gotooldir hgeditor lessedit lesskeyin make
  termcap fcedit vimruntime pgservicefile pgsysconfdir flask_app npm_execpath npm_node_execpath jre_home
  gocacheprog govcs mplbackend ipythondir rubygems_gemdeps bundler_orig_rubyopt rakeopt rakefile pltaddondir pltcollects
  dbus_session_bus_address dbus_system_bus_address dbus_starter_address aspnetcore_hostingstartupassemblies
  spring_application_json spring_config_location pyspark_python pyspark_driver_python airflow__core__plugins_folder
  winedlloverrides wineloader wineprefix rustup_dist_server stack_yaml mix_exs psqlrc rsh sendmail mailcaps
  hostcc ranlib nm as strip manroffopt texinputs texmfhome tf_reattach_providers vagrant_vagrantfile swc_node_project
`);

const BEGINNINGS = words(`
  ld_ dyld_ _rld gconv_ glibc_ malloc_ python __pyvenv_ conda_ perl5 perl_ perlio rubyopt rubylib rubyshell rubypath ruby_
  gem_ bundle_ node_ bun_ deno_ tsx_ ts_node_ electron_ php_ phprc lua_ luajit_ r_profile r_environ r_libs r_home
  julia_ java_ jdk_ _java_ ibm_java_ maven_ gradle_ dotnet_ coreclr_ complus_ cor_ mono_ erl_ elixir_ cgo_ cargo_
  npm_config_ npm_package_ yarn_ pnpm_ corepack_ uv_ pip_ pipx_ poetry_ homebrew_ nix_ bash_ fish_ psmodule prompt_ xdg_
  git_ sudo_ svn_ rsync_ cvs_ kube_ buildkit_ podman_ cloudsdk_ gtk_ gio_ qt_ gst_ pkcs11_ vk_ libgl_ chrome_
  puppeteer_ playwright_ selenium_ pyenv_ rbenv_ nodenv_ asdf_ nvm_ volta_ mise_ cmake_ tf_cli_ tf_plugin_ pipenv_
`);

/** However a program calls its own. */
const ENDINGS = words(`
  path paths dir dirs option options opt opts flag flags arg args argument arguments param params startup preload
  preloads command commands cmd cmds cmdline exec execute executable executables bin binary binaries program programs
  script scripts hook hooks plugin plugins extension extensions addon addons module modules lib libs library libraries
  loader loaders wrapper launcher runner interpreter compiler import imports require requires include includes askpass
  helper helpers init rc env envfile home root prefix shell editor pager browser opener handler handlers callback
  template templates code eval expr expression registry index index_url extra_index_url package packages image
  entrypoint file conf config
`);

/** Passwords of package sources, which only say who asks. */
const ONLY_A_KEY = /^(?:uv_index|cargo_registr|poetry_http_basic|docker)\w*_(?:token|password|username)$/;

/** Whether the value of this variable may decide what is loaded or started. Windows ignores case, so this does too. */
export function decidesWhatRuns(variable: string): boolean {
  const spelled = variable.trim().replaceAll(/[^A-Za-z\d_]+/g, '_');
  return [spelled, spelled.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')].some((name) => isListed(name.toLowerCase()));
}

function isListed(name: string): boolean {
  if (ONLY_A_KEY.test(name)) return false;
  return (
    NAMES.includes(name) ||
    BEGINNINGS.some((beginning) => name.startsWith(beginning)) ||
    ENDINGS.some((ending) => name.endsWith(`_${ending}`)) ||
    /(?:command|path|opts|options|flags)$/.test(name)
  );
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
